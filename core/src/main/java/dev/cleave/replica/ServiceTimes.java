package dev.cleave.replica;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Predicts how long calls take from the kind and size of each, and from the calls that have ended.
 *
 * <h2>Model</h2>
 *
 * For each kind a line through the logarithms of sizes and times, by least squares; older calls count less and less. Until
 * calls of different sizes have ended, the slope is near 1: twice the size, twice the time. The line of all calls stands
 * in for a kind of which no call has ended.
 *
 * <p>Not thread-safe: guarded by its owner.
 */
final class ServiceTimes {

    static final int MOST_KINDS = 1024; // the least recently used are forgotten

    private static final double KEPT = 0.98; // of the weight of earlier calls, when one more ends
    private static final double USUAL_SLOPE = 1;
    private static final double SLOPE_WEIGHT = 1;
    private static final double MOST_SLOPE = 4;

    private final Line all = new Line();
    private final Map<Object, Line> kinds = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Line> eldest) {
            return size() > MOST_KINDS;
        }
    };

    /** Sums over the logarithms of sizes, x, and of times, y. */
    private static final class Line {

        private double weight;
        private double x;
        private double y;
        private double xx;
        private double xy;

        void add(double size, double time) {
            weight = weight * KEPT + 1;
            x = x * KEPT + size;
            y = y * KEPT + time;
            xx = xx * KEPT + size * size;
            xy = xy * KEPT + size * time;
        }

        double at(double size) {
            double meanX = x / weight;
            double meanY = y / weight;
            double spread = Math.max(0, xx - meanX * x);
            double slope = (xy - meanX * y + SLOPE_WEIGHT * USUAL_SLOPE) / (spread + SLOPE_WEIGHT);
            double bounded = Math.max(-MOST_SLOPE, Math.min(MOST_SLOPE, slope));
            return meanY + bounded * (size - meanX);
        }
    }

    /** Records that a call has ended, which took some nanoseconds. */
    void ended(Work call, long nanos) {
        double size = log(call.size());
        double time = log(nanos);
        all.add(size, time);
        kinds.computeIfAbsent(call.kind(), kind -> new Line()).add(size, time);
    }

    /** Returns how long a call will take, in nanoseconds; before any call has ended, in units of its size. */
    double of(Work call) {
        Line known = kinds.get(call.kind());
        Line line = known != null ? known : all;
        double size = log(call.size());
        return Math.pow(2, line.weight == 0 ? size : line.at(size));
    }

    private static double log(double value) {
        return Math.log(Math.max(1, Math.min(value, Long.MAX_VALUE))) / Math.log(2);
    }
}
