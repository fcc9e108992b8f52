package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An experiment of a paper. */
interface Experiment {

    /**
     * What the index says of an experiment.
     *
     * @param paper the paper's figure
     * @param ours our figure; a number that was not measured becomes a dash
     */
    record Headline(String paper, String ours) {

        /** Checks its components. */
        public Headline {
            requireNonNull(paper, "paper");
            ours = ours.replace("NaN", Figures.NONE);
        }
    }

    /** Its name in the command. */
    String name();

    /** Its name on its page. */
    default String title() {
        return name();
    }

    /** The question that it answers, with the paper that asks it. */
    default String question() {
        return notes().get(0);
    }

    /** Notes about the figures, in lines for the reader. */
    List<String> notes();

    /** Measures every case once in each of the rounds, and returns medians. */
    List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException;

    /** About how many seconds it takes: the part of all experiments that the progress bar gives it. */
    default int seconds(int rounds) {
        return 10 * rounds;
    }

    /** The form in which it runs beside all others. */
    default Experiment shortened() {
        return this;
    }

    /** The cases that this form leaves out, as words; the empty text if there are none. */
    default String leftOut() {
        return "";
    }

    /** Draws what it has measured, as HTML. */
    default String charts(Figures figures) {
        return Page.bars(figures);
    }

    /** The figures that the index shows. */
    default Headline headline(Figures figures) {
        return new Headline("", "");
    }

    /** The picture that a run has made in the directory of its stage, or null. */
    default @Nullable Path picture(Path directory) {
        return null;
    }
}
