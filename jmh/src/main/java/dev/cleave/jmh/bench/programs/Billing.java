package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** What users owe. */
@Remote
@Async
public interface Billing {

    /** What a user owes, in euro. */
    double balance(long user);

    /** What a euro costs. */
    double rate(String currency);
}
