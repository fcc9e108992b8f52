package dev.cleave.jmh.bench.programs;

/** The prices of some articles; a supplier that is busy is asked again. */
final class Quotes {

    private static final int ATTEMPTS = 3;

    private Quotes() {}

    static String of(Supplier supplier, int articles) {
        StringBuilder out = new StringBuilder();
        double total = 0;
        for (int article = 0; article < articles; article++) {
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                try {
                    double price = supplier.quote(article, attempt);
                    out.append(article).append(' ').append(price).append('\n');
                    total += price;
                    break;
                } catch (BusyException e) {
                    out.append(e.getMessage()).append('\n');
                }
            }
        }
        return out.append("all ").append(total).append('\n').toString();
    }
}
