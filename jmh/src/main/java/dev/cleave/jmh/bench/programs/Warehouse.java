package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Where records go to, in the order in which they are written. */
@Remote
@Async(group = "warehouse")
public interface Warehouse {

    /** Forgets what was written. */
    void clear();

    /** Writes a line behind all others. */
    void write(String line);

    /** A number made of all lines in their order. */
    long digest();
}
