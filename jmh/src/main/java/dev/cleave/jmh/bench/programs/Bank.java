package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** A bank. */
@Remote
@Async
public interface Bank {

    /** The price of a currency in euro. */
    double rate(String currency);
}
