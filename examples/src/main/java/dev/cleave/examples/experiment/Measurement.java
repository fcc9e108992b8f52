package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.report.Json;
import org.jspecify.annotations.Nullable;

/**
 * One figure of an experiment.
 *
 * @param experiment the experiment's name
 * @param caseName what was measured
 * @param metric which figure of it
 * @param value the figure, in {@code unit}
 * @param unit the unit of {@code value} and {@code ideal}
 * @param paper the paper's own figure, or null
 * @param ideal the figure that a perfect system would reach, or null
 * @param spread the distance of the quartiles of the rounds in percent of {@code value}, or null
 */
public record Measurement(
        String experiment,
        String caseName,
        String metric,
        double value,
        String unit,
        @Nullable Double paper,
        @Nullable Double ideal,
        @Nullable Double spread) {

    /** Creates a figure of unknown spread. */
    public Measurement(
            String experiment,
            String caseName,
            String metric,
            double value,
            String unit,
            @Nullable Double paper,
            @Nullable Double ideal) {
        this(experiment, caseName, metric, value, unit, paper, ideal, null);
    }

    /** Checks its components. */
    public Measurement {
        requireNonNull(experiment, "experiment");
        requireNonNull(caseName, "caseName");
        requireNonNull(metric, "metric");
        requireNonNull(unit, "unit");
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("value: " + value + " (expected: a finite number) of " + caseName);
        }
    }

    /** The same figure with the spread of its rounds in percent, which is unknown if it is not a number. */
    Measurement spread(double percent) {
        Double known = Double.isNaN(percent) ? null : Double.valueOf(percent);
        return new Measurement(experiment, caseName, metric, value, unit, paper, ideal, known);
    }

    String json() {
        return Json.record(
                "experiment",
                experiment,
                "case",
                caseName,
                "metric",
                metric,
                "value",
                value,
                "unit",
                unit,
                "paper",
                paper,
                "ideal",
                ideal,
                "spread",
                spread);
    }
}
