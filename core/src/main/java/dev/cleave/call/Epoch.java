package dev.cleave.call;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the beginnings and ends of all calls of this process that may change something, whoever makes them (R60): what
 * was read ahead under one number may have been changed under another.
 *
 * <p>Costs a plain test until somebody reads ahead for the first time. Safe for use by any thread.
 */
public final class Epoch {

    private static final AtomicLong NUMBER = new AtomicLong();
    private static volatile boolean watched;

    private Epoch() {}

    /** A call that may change something begins, or is about to be known to have ended. */
    public static void changing() {
        if (watched) {
            NUMBER.incrementAndGet();
        }
    }

    /** The number of now; to be read before something is read ahead. */
    public static long watch() {
        if (!watched) {
            watched = true;
        }
        return NUMBER.get();
    }
}
