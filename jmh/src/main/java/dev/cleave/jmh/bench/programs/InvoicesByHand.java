package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;

/** {@link Invoices} by hand. */
final class InvoicesByHand {

    private InvoicesByHand() {}

    static String staged(Trade trade, List<Integer> numbers) {
        List<Pending<Trade.Buyer>> buyers = new ArrayList<>();
        for (int number : numbers) {
            buyers.add(Cleave.async(() -> trade.buyer(number)));
        }
        List<List<Pending<Trade.Purchase>>> purchases = new ArrayList<>();
        List<String> heads = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            List<Pending<Trade.Purchase>> own = new ArrayList<>();
            try {
                Trade.Buyer buyer = buyers.get(i).await();
                heads.add(buyer.name() + ' ');
                for (long purchase : buyer.purchases()) {
                    own.add(Cleave.async(() -> trade.purchase(purchase)));
                }
                purchases.add(own);
            } catch (IllegalArgumentException e) {
                heads.add(numbers.get(i) + ": " + e.getMessage());
                purchases.add(List.of());
            }
        }
        List<List<List<Pending<Double>>>> costs = new ArrayList<>();
        for (List<Pending<Trade.Purchase>> ofBuyer : purchases) {
            List<List<Pending<Double>>> own = new ArrayList<>();
            for (Pending<Trade.Purchase> purchase : ofBuyer) {
                List<Pending<Double>> ofItems = new ArrayList<>();
                for (Trade.Item item : purchase.await().items()) {
                    ofItems.add(Cleave.async(() -> trade.cost(item.article())));
                }
                own.add(ofItems);
            }
            costs.add(own);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            out.append(heads.get(i));
            if (!purchases.get(i).isEmpty()) {
                out.append(owed(purchases.get(i), costs.get(i)));
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static double owed(List<Pending<Trade.Purchase>> purchases, List<List<Pending<Double>>> costs) {
        double sum = 0;
        for (int p = 0; p < purchases.size(); p++) {
            List<Trade.Item> items = purchases.get(p).await().items();
            double total = 0;
            for (int i = 0; i < items.size(); i++) {
                total += costs.get(p).get(i).await() * items.get(i).quantity();
            }
            sum += total;
        }
        return sum;
    }

    static String threaded(Threads threads, Trade trade, List<Integer> numbers) {
        List<Task<String>> lines = new ArrayList<>();
        for (int number : numbers) {
            lines.add(threads.start(() -> line(threads, trade, number)));
        }
        StringBuilder out = new StringBuilder();
        lines.forEach(line -> out.append(line.join()));
        return out.toString();
    }

    private static String line(Threads threads, Trade trade, int number) {
        try {
            Trade.Buyer buyer = trade.buyer(number);
            List<Task<Double>> totals = new ArrayList<>();
            for (long purchase : buyer.purchases()) {
                totals.add(threads.start(() -> total(threads, trade, purchase)));
            }
            double sum = 0;
            for (Task<Double> total : totals) {
                sum += total.join();
            }
            return buyer.name() + ' ' + sum + '\n';
        } catch (IllegalArgumentException e) {
            return number + ": " + e.getMessage() + '\n';
        }
    }

    private static double total(Threads threads, Trade trade, long purchase) {
        List<Task<Double>> costs = new ArrayList<>();
        List<Trade.Item> items = trade.purchase(purchase).items();
        for (Trade.Item item : items) {
            costs.add(threads.start(() -> trade.cost(item.article())));
        }
        double sum = 0;
        for (int i = 0; i < items.size(); i++) {
            sum += costs.get(i).join() * items.get(i).quantity();
        }
        return sum;
    }
}
