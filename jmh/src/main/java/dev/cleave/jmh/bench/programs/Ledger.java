package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.io.Serializable;

/** Payments. */
@Remote
@Async
public interface Ledger {

    /**
     * A payment.
     *
     * @param amount the amount
     * @param currency its currency
     */
    record Payment(double amount, String currency) implements Serializable {}

    /** One payment. */
    Payment payment(int number);
}
