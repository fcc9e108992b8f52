package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import dev.cleave.jmh.bench.talk.Metric;
import java.util.List;
import java.util.function.Supplier;

/**
 * One contender's part of a round.
 *
 * @param workload the workload
 * @param contender the contender
 * @param metrics the metrics of the figures
 * @param warmUps the number of times that it is taken before the first round
 * @param figures runs it and returns a figure for each metric
 */
record Turn(String workload, String contender, List<Metric> metrics, int warmUps, Supplier<double[]> figures) {

    Turn {
        requireNonNull(workload, "workload");
        requireNonNull(contender, "contender");
        requireNonNull(figures, "figures");
        metrics = List.copyOf(metrics);
    }
}
