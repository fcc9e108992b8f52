package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a benchmark has found.
 *
 * @param floor the contender that all others are compared with
 * @param measurements the figures, in the order of workloads
 * @param notes what a reader of the figures must know
 * @param hasFailures whether a contender failed at what it should have done
 */
record Result(String floor, List<Measurement> measurements, List<String> notes, boolean hasFailures) {

    Result {
        requireNonNull(floor, "floor");
        measurements = List.copyOf(measurements);
        notes = List.copyOf(notes);
    }
}
