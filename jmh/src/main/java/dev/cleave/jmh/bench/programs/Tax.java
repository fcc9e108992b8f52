package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Taxes. */
@Remote
@Async
public interface Tax {

    /** The rate of a region, such as 0.2. */
    double rate(String region);
}
