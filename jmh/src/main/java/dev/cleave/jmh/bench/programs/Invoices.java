package dev.cleave.jmh.bench.programs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what buyers owe, by methods that a subclass could override. */
class Invoices {

    private final Trade trade;

    Invoices(Trade trade) {
        this.trade = trade;
    }

    String of(List<Integer> buyers) {
        StringBuilder out = new StringBuilder();
        for (Integer number : buyers) {
            Trade.Buyer buyer = find(number, out);
            if (buyer != null) {
                out.append(buyer.name()).append(' ').append(owed(buyer)).append('\n');
            }
        }
        return out.toString();
    }

    Trade.@Nullable Buyer find(int number, StringBuilder out) {
        try {
            return trade.buyer(number);
        } catch (IllegalArgumentException e) {
            out.append(number).append(": ").append(e.getMessage()).append('\n');
            return null;
        }
    }

    double owed(Trade.Buyer buyer) {
        double sum = 0;
        for (Long purchase : buyer.purchases()) {
            sum += total(purchase);
        }
        return sum;
    }

    double total(long purchase) {
        double sum = 0;
        for (Trade.Item item : trade.purchase(purchase).items()) {
            sum += trade.cost(item.article()) * item.quantity();
        }
        return sum;
    }
}
