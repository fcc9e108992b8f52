package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@link SalesByRegion} by hand. */
final class SalesByRegionByHand {

    private SalesByRegionByHand() {}

    /**
     * An order and who gave it.
     *
     * @param order the order
     * @param customer its customer
     */
    private record Sale(Orders.Order order, Customers.Customer customer) {}

    static String staged(Orders orders, Customers customers, int day) {
        List<Pending<Orders.Order>> all = new ArrayList<>();
        for (long number : orders.ofDay(day)) {
            all.add(Cleave.async(() -> orders.order(number)));
        }
        List<Pending<Customers.Customer>> buyers = new ArrayList<>();
        for (Pending<Orders.Order> each : all) {
            Orders.Order order = each.await();
            buyers.add(Cleave.async(() -> customers.customer(order.customer())));
        }
        Map<String, Double> sales = new TreeMap<>();
        for (int i = 0; i < all.size(); i++) {
            sales.merge(buyers.get(i).await().region(), all.get(i).await().amount(), Double::sum);
        }
        return text(sales);
    }

    static String threaded(Threads threads, Orders orders, Customers customers, int day) {
        List<Task<Sale>> all = new ArrayList<>();
        for (long number : orders.ofDay(day)) {
            all.add(threads.start(() -> {
                Orders.Order order = orders.order(number);
                return new Sale(order, customers.customer(order.customer()));
            }));
        }
        Map<String, Double> sales = new TreeMap<>();
        for (Task<Sale> each : all) {
            Sale sale = each.join();
            sales.merge(sale.customer().region(), sale.order().amount(), Double::sum);
        }
        return text(sales);
    }

    private static String text(Map<String, Double> sales) {
        StringBuilder out = new StringBuilder();
        sales.forEach(
                (region, sum) -> out.append(region).append(' ').append(sum).append('\n'));
        return out.toString();
    }
}
