package dev.cleave.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long the calls of one dispatcher take. Calls are short when {@value #ENOUGH} in a row, on any threads,
 * have taken less than {@value #SHORT_NANOS} ns each. Thread-safe; two calls that end at the same time may be counted
 * once.
 */
final class Pace {

    /** A call that takes at least this many nanoseconds is not short. */
    static final long SHORT_NANOS = 20_000;

    /** The number of short calls in a row after which the next one is expected to be short, too. */
    static final int ENOUGH = 64;

    /** No further thread is woken for calls that take less than this many nanoseconds together. */
    static final long BACKLOG_NANOS = 100_000;

    private static final int WEIGHT = 16;

    private final AtomicInteger inARow = new AtomicInteger();
    private final AtomicLong average = new AtomicLong(SHORT_NANOS);

    /** Counts a call that has run for {@code nanos}. */
    void ran(long nanos) {
        if (nanos >= SHORT_NANOS) {
            reset();
            return;
        }
        int before = inARow.get();
        if (before < ENOUGH) {
            inARow.set(before + 1);
        }
        long known = average.get();
        average.lazySet(known + (nanos - known) / WEIGHT);
    }

    /** Forgets what was measured. */
    void reset() {
        if (inARow.get() != 0) {
            inARow.set(0);
            average.set(SHORT_NANOS);
        }
    }

    /** Whether calls are short, and one thread runs {@code calls} of them within {@link #BACKLOG_NANOS}. */
    boolean isFastEnoughFor(int calls) {
        return inARow.get() >= ENOUGH && calls * average.get() < BACKLOG_NANOS;
    }
}
