package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.util.List;

/** One of the experiments of the papers. */
interface Experiment {

    /** What the command calls it. */
    String name();

    /** What is to be known about the figures, in lines for the reader. */
    List<String> notes();

    /** Measures every case once in each of the rounds, and returns medians. */
    List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException;

    /** Draws what it has measured, as HTML. */
    default String charts(List<Measurement> measurements) {
        return Page.bars(measurements);
    }
}
