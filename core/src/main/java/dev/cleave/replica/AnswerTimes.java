package dev.cleave.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * How long calls take: by what time a part of them has been answered. Known to an eighth; calls of long ago count less and less.
 * Thread-safe.
 */
public final class AnswerTimes {

    /** Of fewer calls nothing is said. */
    public static final int FEW = 100;

    private static final int MANY = 2_000; // then all count half
    private static final int STEPS = 8; // of each power of two

    private final int perMille;

    @GuardedBy("this")
    private final int[] counts = new int[Long.SIZE * STEPS];

    @GuardedBy("this")
    private int sum;

    private volatile long nanos = -1;

    /**
     * Creates one that knows nothing.
     *
     * @param perMille which part of the calls, of a thousand
     */
    public AnswerTimes(int perMille) {
        this.perMille = perMille;
    }

    /** A call has been answered after so many nanoseconds. */
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

    /** By what time that part of them has been answered, in nanoseconds; -1 if that is not known yet. */
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
        sum -= sum % FEW; // it is looked at after so many more
    }

    private static int bucket(long nanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        return power * STEPS + (int) (nanos >>> power - 3 & STEPS - 1);
    }

    /** The time above all of a bucket. */
    private static long end(int bucket) {
        return (long) (STEPS + bucket % STEPS + 1) << bucket / STEPS - 3;
    }
}
