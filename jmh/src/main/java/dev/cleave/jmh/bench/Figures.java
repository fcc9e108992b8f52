package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The figures of one turn in all rounds, ascending.
 *
 * @param values at least one
 */
record Figures(List<Double> values) {

    private static final double LOWER_QUARTILE = 0.25;
    private static final double UPPER_QUARTILE = 0.75;

    Figures {
        values = requireNonNull(values, "values").stream().sorted().toList();
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values: none (expected: at least one)");
        }
    }

    double median() {
        return quantile(0.5);
    }

    /** The distance of the quartiles, in per cent of the median. */
    double spread() {
        return 100 * (quantile(UPPER_QUARTILE) - quantile(LOWER_QUARTILE)) / median();
    }

    private double quantile(double part) {
        double place = part * (values.size() - 1);
        int below = (int) place;
        int above = Math.min(below + 1, values.size() - 1);
        return values.get(below) + (place - below) * (values.get(above) - values.get(below));
    }
}
