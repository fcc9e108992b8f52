package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** A supplier that is often busy. */
@Remote
@Async
public interface Supplier {

    /**
     * The price of an article.
     *
     * @param attempt 1 the first time, 2 the second
     * @throws BusyException if it is to be asked again
     */
    double quote(int article, int attempt) throws BusyException;
}
