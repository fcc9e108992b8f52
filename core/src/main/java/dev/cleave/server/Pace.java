package dev.cleave.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long the calls of one dispatcher, or of one method, take. Calls are short when {@value #ENOUGH} in a row, on any threads,
 * have taken less than {@value #SHORT_NANOS} ns each. Thread-safe; two calls that end at the same time may be counted
 * once.
 */
final class Pace {

    /** A call that takes at least this many nanoseconds is not short. */
    static final long SHORT_NANOS = 20_000;

    /** The number of short calls in a row after which the next one is expected to be short, too. */
    static final int ENOUGH = 64;

    /** One thread is woken for calls that take this many nanoseconds together. */
    static final long BACKLOG_NANOS = 100_000;

    private static final int WEIGHT = 16;

    /** How many short calls make up for one that was not short. */
    private static final int ONE_LONG = 32;

    private final AtomicInteger inARow = new AtomicInteger();
    private final AtomicInteger mostly =
            new AtomicInteger(); // the number of short calls, less ONE_LONG for each other one
    private final AtomicLong average = new AtomicLong(SHORT_NANOS);

    /** Counts a call that has run for {@code nanos}. */
    void ran(long nanos) {
        if (nanos >= SHORT_NANOS) {
            mostly.lazySet(Math.max(0, mostly.get() - ONE_LONG));
            reset();
            return;
        }
        int times = mostly.get();
        if (times < ENOUGH) {
            mostly.lazySet(times + 1);
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

    /** Whether nearly all calls are short, also when a thread that ran one was suspended by the system. */
    boolean isMostlyShort() {
        return mostly.get() >= ENOUGH - ONE_LONG;
    }

    /** Whether all of the last calls have been short. */
    boolean isShort() {
        return inARow.get() >= ENOUGH;
    }

    /**
     * Whether a further thread is to be woken because {@code calls} calls wait: for every {@link #BACKLOG_NANOS} that they
     * will take, with the last one of these.
     */
    boolean needsAnother(int calls) {
        long nanos = average.get();
        return calls * nanos / BACKLOG_NANOS > (calls - 1) * nanos / BACKLOG_NANOS;
    }
}
