package dev.cleave.jmh.bench.cleave;

import dev.cleave.Async;
import dev.cleave.Remote;

/** The remote interface that is called over Cleave. */
@Remote
public interface Echo {

    /** Does nothing. */
    void nothing();

    /** Returns its argument. */
    @Async
    long echo(long value);

    /** Returns its argument. */
    @Async
    byte[] bytes(byte[] value);

    /** Returns the sum of the first and the last. */
    double ends(double[] values);

    /** Returns an array of {@code count} doubles. */
    double[] doubles(int count);
}
