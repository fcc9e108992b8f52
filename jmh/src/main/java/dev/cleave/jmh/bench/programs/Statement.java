package dev.cleave.jmh.bench.programs;

/** Payments in many currencies, in euro; the rates come from behind an interface, which remembers them. */
final class Statement {

    private final Ledger ledger;
    private final Rates rates;

    Statement(Ledger ledger, Rates rates) {
        this.ledger = ledger;
        this.rates = rates;
    }

    String of(int payments) {
        StringBuilder out = new StringBuilder();
        double total = 0;
        for (int number = 0; number < payments; number++) {
            Ledger.Payment payment = ledger.payment(number);
            double euro = payment.amount() * rates.of(payment.currency());
            out.append(number).append(' ').append(euro).append('\n');
            total += euro;
        }
        return out.append("all ").append(total).append('\n').toString();
    }
}
