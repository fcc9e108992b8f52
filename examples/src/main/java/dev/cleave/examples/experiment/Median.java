package dev.cleave.examples.experiment;

import java.util.List;

/** The middle one of the figures of several rounds. */
public final class Median {

    private Median() {}

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
