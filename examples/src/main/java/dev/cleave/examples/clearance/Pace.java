package dev.cleave.examples.clearance;

import java.util.concurrent.locks.LockSupport;

/** Lets work take as long as it is to take, by waiting. */
final class Pace {

    private Pace() {}

    /** Returns when {@link System#nanoTime} has come to a time, or some tens of microseconds after that. */
    static void waitUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new IllegalStateException("interrupted");
            }
        }
    }
}
