package dev.cleave.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Measures a percentile of the durations of calls, to an eighth; older calls count less and less. Thread-safe.
 */
public final class AnswerTimes {

    /** With fewer calls than this the percentile is unknown. */
    public static final int FEW = 100;

    private static final int MANY = 2_000; // when this many calls are counted, all counts are halved
    private static final int STEPS = 8; // buckets for each power of two

    private final int perMille;

    @GuardedBy("this")
    private final int[] counts = new int[Long.SIZE * STEPS];

    @GuardedBy("this")
    private int sum;

    private volatile long nanos = -1;

    /**
     * Creates a measurement without calls.
     *
     * @param perMille the percentile, in calls of a thousand
     */
    public AnswerTimes(int perMille) {
        this.perMille = perMille;
    }

    /** Adds the duration of a call, in nanoseconds. */
    public synchronized void add(long took) {
        counts[bucket(Math.max(STEPS, took))]++;
        sum++;
        if (sum % FEW == 0) {
            nanos = quantile();
            if (sum >= MANY) {
                halve();
            }
        }
    }

    /** The percentile of the durations, in nanoseconds; -1 if it is not known yet. */
    public long nanos() {
        return nanos;
    }

    @GuardedBy("this")
    private long quantile() {
        long wanted = ((long) sum * perMille + 999) / 1000;
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return end(i);
            }
        }
        throw new AssertionError(seen + " of " + sum);
    }

    @GuardedBy("this")
    private void halve() {
        sum = 0;
        for (int i = 0; i < counts.length; i++) {
            counts[i] /= 2;
            sum += counts[i];
        }
        sum -= sum % FEW; // the percentile is computed again after this many more calls
    }

    private static int bucket(long nanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        return power * STEPS + (int) (nanos >>> power - 3 & STEPS - 1);
    }

    /** The upper bound of the durations in a bucket. */
    private static long end(int bucket) {
        return (long) (STEPS + bucket % STEPS + 1) << bucket / STEPS - 3;
    }
}
