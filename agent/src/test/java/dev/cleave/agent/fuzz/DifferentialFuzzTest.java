package dev.cleave.agent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated programs compute the same as written and rewritten. {@code -Dcleave.fuzz.seed=N} repeats a run. */
class DifferentialFuzzTest {

    private static final int PROGRAMS = Integer.getInteger("cleave.fuzz.programs", 1_000);
    private static final int SETTINGS = 8;

    private final long seed = Long.getLong("cleave.fuzz.seed", System.nanoTime() & 0xffffff);

    @TempDir
    private Path directory;

    @Test
    void rewrittenProgramsDoWhatTheyDoAsWritten() throws ReflectiveOperationException {
        DifferentialFuzz fuzz = new DifferentialFuzz(directory, seed);

        fuzz.run(PROGRAMS, SETTINGS);

        System.out.println("fuzz: seed " + seed + ", " + fuzz.runs() + " runs of " + PROGRAMS + " programs, "
                + fuzz.count(Verdict.Outcome.SPLIT) + " calls split, " + fuzz.count(Verdict.Outcome.PIPELINED)
                + " pipelined, " + fuzz.count(Verdict.Outcome.CHAINED) + " chained, "
                + fuzz.count(Verdict.Outcome.PROMISED) + " promised, "
                + fuzz.count(Verdict.Outcome.SEQUENTIAL) + " sequential");
        assertThat(fuzz.differences()).as("seed %d", seed).isEmpty();
        assertThat(fuzz.count(Verdict.Outcome.SPLIT)).isGreaterThan(PROGRAMS);
        assertThat(fuzz.count(Verdict.Outcome.PIPELINED)).isGreaterThan(PROGRAMS / 2);
        assertThat(fuzz.count(Verdict.Outcome.CHAINED)).isGreaterThan(PROGRAMS / 4);
        assertThat(fuzz.count(Verdict.Outcome.PROMISED)).isGreaterThan(PROGRAMS / 4);
        assertThat(fuzz.mostInFlight()).isGreaterThan(3);
    }
}
