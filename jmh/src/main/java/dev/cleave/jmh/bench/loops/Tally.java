package dev.cleave.jmh.bench.loops;

import dev.cleave.Remote;

/** Tells a client of requests that its server has got. */
@Remote
public interface Tally {

    /** The requests of all calls of {@link Work} so far: those that were executed, and those that were refused for want of room. */
    long requests();
}
