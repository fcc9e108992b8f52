package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** The debts of users. */
@Remote
@Async
public interface Billing {

    /** The debt of a user, in euro. */
    double balance(long user);

    /** The price of a euro in a currency. */
    double rate(String currency);
}
