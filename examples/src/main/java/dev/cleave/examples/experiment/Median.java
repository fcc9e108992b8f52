package dev.cleave.examples.experiment;

import java.util.List;

/** The middle one of the figures of several rounds. */
public final class Median {

    private Median() {}

    /** The distance of the quartiles in percent of the median; 0 of values whose median is 0; not a number for a single value. */
    static double spread(List<Double> values) {
        if (values.size() == 1) {
            return Double.NaN;
        }
        double median = of(values);
        List<Double> sorted = values.stream().sorted().toList();
        return median == 0 ? 0 : 100 * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / Math.abs(median);
    }

    private static double quantile(List<Double> sorted, double part) {
        double place = part * (sorted.size() - 1);
        int below = (int) place;
        double next = sorted.get(Math.min(below + 1, sorted.size() - 1));
        return sorted.get(below) + (place - below) * (next - sorted.get(below));
    }

    /** The median; of an even number of values the mean of the two in the middle. */
    public static double of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values: none (expected: at least one)");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
