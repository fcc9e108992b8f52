package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** A bank. */
@Remote
@Async
public interface Bank {

    /** What a currency costs in euro. */
    double rate(String currency);
}
