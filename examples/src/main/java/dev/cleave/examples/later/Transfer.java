package dev.cleave.examples.later;

import java.util.ArrayList;
import java.util.List;

/** Measures the transfer time of an array. */
final class Transfer {

    /** An array cannot come faster than a machine copies it; shorter times are those of other things. */
    private static final double MOST_BYTES_PER_SECOND = 10e9;

    private static final long LONG_NANOS = 50_000_000; // what takes so long need not be measured often
    private static final int TIMES = 9;

    private Transfer() {}

    /**
     * Returns the seconds by which calls with an array take longer than calls without, as a median.
     *
     * @param none makes a call without an array
     * @param one makes a call with an array of doubles
     * @param count the number of calls
     */
    static double seconds(Runnable none, Runnable one, int count) {
        List<Double> times = new ArrayList<>();
        long sum = 0;
        while (times.size() < TIMES && sum < LONG_NANOS) {
            long begin = System.nanoTime();
            none.run();
            long between = System.nanoTime();
            one.run();
            long time = System.nanoTime() - between - (between - begin);
            times.add(time / 1e9);
            sum += Math.max(time, 0);
        }
        return Math.max(middle(times), count * (double) Double.BYTES / MOST_BYTES_PER_SECOND);
    }

    /** The middle one of some times. */
    static double middle(List<Double> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }
}
