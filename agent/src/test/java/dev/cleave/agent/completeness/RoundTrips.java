package dev.cleave.agent.completeness;

import java.util.concurrent.locks.LockSupport;

/**
 * Real time that passes with round trips in virtual time. Windows grow by how many calls the program could have made while it
 * waited; where waiting took no time at all they would grow more slowly than over any connection.
 */
public final class RoundTrips {

    private static final long NANOS = 100_000;

    private RoundTrips() {}

    /** Lets a number of round trips pass; none if it is not positive. */
    public static void pass(long number) {
        long end = System.nanoTime() + number * NANOS;
        for (long left = end - System.nanoTime(); number > 0 && left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
