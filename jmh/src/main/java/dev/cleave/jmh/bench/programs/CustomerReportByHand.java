package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;

/** {@link CustomerReport} by hand. */
final class CustomerReportByHand {

    private CustomerReportByHand() {}

    static String staged(Shop shop, Tax tax, int customers) {
        List<Pending<String>> names = new ArrayList<>();
        List<Pending<String>> regions = new ArrayList<>();
        List<Pending<long[]>> orders = new ArrayList<>();
        for (int c = 0; c < customers; c++) {
            int customer = c;
            names.add(Cleave.async(() -> shop.name(customer)));
            regions.add(Cleave.async(() -> shop.region(customer)));
            orders.add(Cleave.async(() -> shop.orders(customer)));
        }
        List<Pending<Double>> rates = new ArrayList<>();
        List<List<Pending<int[]>>> lines = new ArrayList<>();
        for (int c = 0; c < customers; c++) {
            String region = regions.get(c).await();
            rates.add(Cleave.async(() -> tax.rate(region)));
            List<Pending<int[]>> own = new ArrayList<>();
            for (long id : orders.get(c).await()) {
                own.add(Cleave.async(() -> shop.lines(id)));
            }
            lines.add(own);
        }
        List<List<List<Pending<Double>>>> prices = new ArrayList<>();
        for (List<Pending<int[]>> ofCustomer : lines) {
            List<List<Pending<Double>>> own = new ArrayList<>();
            for (Pending<int[]> ofOrder : ofCustomer) {
                List<Pending<Double>> line = new ArrayList<>();
                for (int sku : ofOrder.await()) {
                    line.add(Cleave.async(() -> shop.price(sku)));
                }
                own.add(line);
            }
            prices.add(own);
        }
        StringBuilder out = new StringBuilder();
        double grand = 0;
        for (int c = 0; c < customers; c++) {
            double sum = 0;
            for (List<Pending<Double>> order : prices.get(c)) {
                double s = 0;
                for (Pending<Double> price : order) {
                    s += Math.max(0, price.await());
                }
                sum += s;
            }
            double with = sum * (1 + rates.get(c).await());
            out.append(names.get(c).await()).append(' ').append(with).append('\n');
            grand += with;
        }
        return out.append("all ").append(grand).append('\n').toString();
    }

    static String threaded(Threads threads, Shop shop, Tax tax, int customers) {
        List<Task<String>> names = new ArrayList<>();
        List<Task<Double>> sums = new ArrayList<>();
        for (int c = 0; c < customers; c++) {
            int customer = c;
            names.add(threads.start(() -> shop.name(customer)));
            sums.add(threads.start(() -> withTax(threads, shop, tax, customer)));
        }
        StringBuilder out = new StringBuilder();
        double grand = 0;
        for (int c = 0; c < customers; c++) {
            double with = sums.get(c).join();
            out.append(names.get(c).join()).append(' ').append(with).append('\n');
            grand += with;
        }
        return out.append("all ").append(grand).append('\n').toString();
    }

    private static double withTax(Threads threads, Shop shop, Tax tax, int customer) {
        Task<Double> rate = threads.start(() -> tax.rate(shop.region(customer)));
        List<Task<Double>> orders = new ArrayList<>();
        for (long id : shop.orders(customer)) {
            orders.add(threads.start(() -> order(threads, shop, id)));
        }
        double sum = 0;
        for (Task<Double> order : orders) {
            sum += order.join();
        }
        return sum * (1 + rate.join());
    }

    private static double order(Threads threads, Shop shop, long id) {
        List<Task<Double>> prices = new ArrayList<>();
        for (int sku : shop.lines(id)) {
            prices.add(threads.start(() -> shop.price(sku)));
        }
        double s = 0;
        for (Task<Double> price : prices) {
            s += Math.max(0, price.join());
        }
        return s;
    }
}
