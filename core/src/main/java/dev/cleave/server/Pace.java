package dev.cleave.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long the calls of one dispatcher take. Calls are short when {@value #ENOUGH} in a row, whichever threads ran them, have
 * taken less than {@value #SHORT_NANOS} ns each. Thread-safe; what two threads do at the same time may be counted once.
 */
final class Pace {

    /** A call that takes longer is not short. */
    static final long SHORT_NANOS = 20_000;

    /** After so many short calls the next one is taken for short, too. */
    static final int ENOUGH = 64;

    /** For so much work no further thread is woken. */
    static final long BACKLOG_NANOS = 100_000;

    private static final int WEIGHT = 16;

    private final AtomicInteger inARow = new AtomicInteger();
    private final AtomicLong average = new AtomicLong(SHORT_NANOS);

    /** A call has run for so long. */
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

    /** What is known is not true any more. */
    void reset() {
        if (inARow.get() != 0) {
            inARow.set(0);
            average.set(SHORT_NANOS);
        }
    }

    /** Whether calls are short, and so many of them are soon done by one thread. */
    boolean isFastEnoughFor(int calls) {
        return inARow.get() >= ENOUGH && calls * average.get() < BACKLOG_NANOS;
    }
}
