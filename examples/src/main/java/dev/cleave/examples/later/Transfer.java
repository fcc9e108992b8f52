package dev.cleave.examples.later;

import java.util.ArrayList;
import java.util.List;

/** How long an array takes to come. */
final class Transfer {

    /** An array cannot come faster than a machine copies it; shorter times are those of other things. */
    private static final double MOST_BYTES_PER_SECOND = 10e9;

    private static final long LONG_NANOS = 50_000_000; // what takes so long need not be measured often
    private static final int TIMES = 9;

    private Transfer() {}

    /**
     * Seconds: the median of what calls with an array take longer than calls with none.
     *
     * @param none calls without
     * @param one calls with one of doubles
     * @param count how many
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
