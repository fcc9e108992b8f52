package dev.cleave.jmh.bench.loops;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.Sync;

/** Work that takes a given time and almost no computing. */
@Remote
public interface Work {

    /** A number made of {@code item}, after {@code micros} microseconds. */
    @Async(window = 64)
    long work(int item, int micros);

    /** Adds a number made of {@code item} to the sum, after {@code micros} microseconds. */
    @Chained(window = 64)
    void put(int item, int micros);

    /** The sum of what was put since the last time. */
    @Sync
    long drain();

    /** Does what {@link #work} does; its result depends on its arguments alone. */
    @Pure
    long look(int item, int micros);
}
