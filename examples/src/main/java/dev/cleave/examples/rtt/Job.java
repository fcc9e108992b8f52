package dev.cleave.examples.rtt;

import dev.cleave.Remote;

/** Calls that cost nothing but their way. */
@Remote
public interface Job {

    /** Does nothing. */
    void run();

    /** Returns a number. */
    long get();
}
