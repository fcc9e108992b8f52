package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The result of a benchmark.
 *
 * @param floor the contender that all others are compared with
 * @param measurements the figures, in the order of workloads
 * @param notes notes for readers of the figures
 * @param hasFailures whether a contender failed at a workload
 */
record Result(String floor, List<Measurement> measurements, List<String> notes, boolean hasFailures) {

    Result {
        requireNonNull(floor, "floor");
        measurements = List.copyOf(measurements);
        notes = List.copyOf(notes);
    }
}
