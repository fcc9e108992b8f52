package dev.cleave.jmh.bench.programs;

/** Reports the orders of each customer, and their sum. */
final class CustomerReport {

    private CustomerReport() {}

    static String report(Shop shop, Tax tax, int customers) {
        StringBuilder out = new StringBuilder();
        double grand = 0;
        for (int c = 0; c < customers; c++) {
            String name = shop.name(c), region = shop.region(c);
            double rate = tax.rate(region);
            double sum = 0;
            for (long id : shop.orders(c)) {
                sum += order(shop, id);
            }
            double with = sum * (1 + rate);
            out.append(name).append(' ').append(with).append('\n');
            grand += with;
        }
        return out.append("all ").append(grand).append('\n').toString();
    }

    private static double order(Shop shop, long id) {
        double s = 0;
        for (int sku : shop.lines(id)) {
            s += price(shop, sku);
        }
        return s;
    }

    private static double price(Shop shop, int sku) {
        double p = shop.price(sku);
        return p < 0 ? 0 : p;
    }
}
