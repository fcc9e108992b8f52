package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.util.List;

/** A set of workloads with their contenders. */
interface Benchmark {

    /** What messages call it. */
    String name();

    /** The contender that all others are compared with. */
    String floor();

    /** All contenders. */
    List<String> contenders();

    /** All workloads. */
    List<String> workloads();

    /** Starts the contenders, and returns the turns of a round. */
    List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException;

    /** The figures, as the lines of a table. */
    default List<String> table(List<Measurement> measurements) {
        return MeasurementTable.lines(measurements);
    }

    /** What a reader of the figures must know, once they have been taken and the processes have ended. */
    List<String> notes(Stage stage) throws IOException;
}
