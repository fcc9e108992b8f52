package dev.cleave.server;

import dev.cleave.transport.Leading;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long the calls of one dispatcher, or of one method, take. Calls are short when of {@value #ENOUGH} in a row, on any threads,
 * none has been long, and mostly short while few of them take {@value #SHORT_NANOS} ns or more. Where processors are few, the system
 * suspends a thread in some calls of each hundred, mostly for less than {@link #LONG_NANOS}; so a call of that length counts for {@value
 * #DISTURBED} short ones, and a long one for {@value #ONE_LONG}. Thread-safe; two calls that end at the same time may be counted once.
 */
final class Pace {

    /** A call that takes at least this many nanoseconds is not short. */
    static final long SHORT_NANOS = 20_000;

    /** A call that takes at least this many nanoseconds is long: it delays those that wait behind it by more than a leader may. */
    static final long LONG_NANOS = Leading.MOST_NANOS;

    /** The number of calls in a row after which the next one is expected to be as short. */
    static final int ENOUGH = 64;

    /** One thread is woken for calls that take this many nanoseconds together. */
    static final long BACKLOG_NANOS = 100_000;

    private static final int WEIGHT = 16;

    /** How many short calls make up for one that took longer. */
    static final int DISTURBED = 8;

    /** How many short calls make up for a long one. */
    static final int ONE_LONG = 32;

    private final AtomicInteger inARow = new AtomicInteger(); // calls since the last long one
    private final AtomicInteger mostly =
            new AtomicInteger(); // the number of short calls, less those that make up for others
    private final AtomicLong average = new AtomicLong(SHORT_NANOS);

    /** Counts a call that has run for {@code nanos}. */
    void ran(long nanos) {
        int times = mostly.get();
        if (nanos >= LONG_NANOS) {
            mostly.lazySet(Math.max(0, times - ONE_LONG));
            reset();
            return;
        }
        if (nanos >= SHORT_NANOS) {
            mostly.lazySet(Math.max(0, times - DISTURBED));
        } else if (times < ENOUGH) {
            mostly.lazySet(times + 1);
        }
        int before = inARow.get();
        if (before < ENOUGH) {
            inARow.set(before + 1);
        }
        long known = average.get();
        average.lazySet(known + (nanos - known) / WEIGHT);
    }

    /** Forgets what was measured, but not whether calls are mostly short. */
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

    /** Whether the last calls have been mostly short, and none of them long. */
    boolean isShort() {
        return inARow.get() >= ENOUGH && isMostlyShort();
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
