package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Cities. */
@Remote
@Async
public interface Places {

    /** The country of a city. */
    String country(String city);
}
