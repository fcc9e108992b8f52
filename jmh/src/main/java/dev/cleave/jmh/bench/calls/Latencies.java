package dev.cleave.jmh.bench.calls;

import java.util.Arrays;

/** Times of calls, in nanoseconds. Of one thread. */
final class Latencies {

    private static final int FIRST = 1 << 14;
    private static final double NANOS_PER_MICRO = 1e3;

    private long[] times = new long[FIRST];
    private int count;

    void add(long nanos) {
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = nanos;
    }

    int count() {
        return count;
    }

    /** The microseconds that such a part of the calls did not exceed. */
    double micros(double part) {
        Arrays.sort(times, 0, count);
        return times[(int) Math.min(count - 1L, (long) (part * count))] / NANOS_PER_MICRO;
    }
}
