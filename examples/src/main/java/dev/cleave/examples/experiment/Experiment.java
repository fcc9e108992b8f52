package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.util.List;

/** An experiment of a paper. */
interface Experiment {

    /** Its name in the command. */
    String name();

    /** Notes about the figures, in lines for the reader. */
    List<String> notes();

    /** Measures every case once in each of the rounds, and returns medians. */
    List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException;

    /** Draws what it has measured, as HTML. */
    default String charts(List<Measurement> measurements) {
        return Page.bars(measurements);
    }
}
