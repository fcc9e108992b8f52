package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.util.List;

/** A set of workloads with their contenders. */
interface Benchmark {

    /** Its name in messages. */
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

    /** Returns notes for readers of the figures, once they have been taken and the processes have ended. */
    List<String> notes(Stage stage) throws IOException;
}
