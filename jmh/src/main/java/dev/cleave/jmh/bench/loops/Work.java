package dev.cleave.jmh.bench.loops;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Work that takes a given time and almost no computing. */
@Remote
public interface Work {

    /** A number made of {@code item}, after {@code micros} microseconds. */
    @Async(window = 64)
    long work(int item, int micros);
}
