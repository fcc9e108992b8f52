package dev.cleave.jmh.bench.programs;

import java.util.Map;
import java.util.TreeMap;

/** A join: the orders of a day come from one service, the regions of their customers from another. */
final class SalesByRegion {

    private SalesByRegion() {}

    static String ofDay(Orders orders, Customers customers, int day) {
        Map<String, Double> sales = new TreeMap<>();
        for (long number : orders.ofDay(day)) {
            Orders.Order order = orders.order(number);
            Customers.Customer customer = customers.customer(order.customer());
            sales.merge(customer.region(), order.amount(), Double::sum);
        }
        StringBuilder out = new StringBuilder();
        for (Map.Entry<String, Double> each : sales.entrySet()) {
            out.append(each.getKey()).append(' ').append(each.getValue()).append('\n');
        }
        return out.toString();
    }
}
