package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import java.util.function.DoubleSupplier;

/**
 * One contender's part of a round.
 *
 * @param workload what is run
 * @param contender who runs it
 * @param metric what the figure says
 * @param figure runs it and returns the figure
 */
record Turn(String workload, String contender, Metric metric, DoubleSupplier figure) {

    Turn {
        requireNonNull(workload, "workload");
        requireNonNull(contender, "contender");
        requireNonNull(metric, "metric");
        requireNonNull(figure, "figure");
    }
}
