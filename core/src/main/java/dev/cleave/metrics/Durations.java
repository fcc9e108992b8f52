package dev.cleave.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts durations in buckets, eight for each power of two, so that a percentile is known to an eighth; older durations count less
 * and less. Thread-safe, without locks.
 */
public final class Durations {

    private static final int MANY = 2_000; // when this many are counted, all counts are halved
    private static final int BITS = 3;
    private static final int STEPS = 1 << BITS; // buckets for each power of two

    private final AtomicIntegerArray counts = new AtomicIntegerArray(Long.SIZE * STEPS);
    private final AtomicInteger sum = new AtomicInteger();

    /** Adds a duration, in nanoseconds; returns how many durations count now. */
    public int add(long nanos) {
        counts.getAndIncrement(bucket(Math.max(STEPS, nanos)));
        int now = sum.incrementAndGet();
        return now == MANY ? halve() : now;
    }

    /** The duration that {@code perMille} of a thousand do not exceed, in nanoseconds; -1 if there is none. */
    public long quantile(int perMille) {
        long wanted = Math.max(1, ((long) sum.get() * perMille + 999) / 1000);
        long seen = 0;
        long last = -1;
        for (int i = 0; i < counts.length() && seen < wanted; i++) {
            int count = counts.get(i);
            seen += count;
            last = count > 0 ? end(i) : last;
        }
        return last;
    }

    private int halve() {
        int gone = 0;
        for (int i = 0; i < counts.length(); i++) {
            int half = (counts.get(i) + 1) / 2;
            counts.addAndGet(i, -half);
            gone += half;
        }
        return sum.addAndGet(-gone);
    }

    private static int bucket(long nanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        return power * STEPS + (int) (nanos >>> power - BITS & STEPS - 1);
    }

    /** The upper bound of the durations in a bucket. */
    private static long end(int bucket) {
        return (long) (STEPS + bucket % STEPS + 1) << bucket / STEPS - BITS;
    }
}
