package dev.cleave.agent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Generated programs compute the same as written and rewritten. {@code -Dcleave.fuzz.seed=N} repeats a run. */
class DifferentialFuzzTest {

    private static final int PROGRAMS = Integer.getInteger("cleave.fuzz.programs", 40);
    private static final int JOBS = Integer.getInteger("cleave.fuzz.jobs", 2);

    private final long seed = Long.getLong("cleave.fuzz.seed", Seed.or(20261122L));

    @Test
    void rewrittenProgramsDoWhatTheyDoAsWritten() {
        FuzzResult result = new Fuzz(seed, PROGRAMS, JOBS).run(sum -> {});

        System.out.println("fuzz: seed " + seed + ", " + result.runs() + " runs of " + PROGRAMS + " programs, "
                + result.verdicts());
        assertThat(result.divergences()).as("seed %d", seed).isEmpty();
        assertThat(result.count("SPLIT")).isGreaterThan(PROGRAMS);
        assertThat(result.count("PIPELINED")).isGreaterThan(PROGRAMS / 2);
        assertThat(result.count("PREFETCHED")).isGreaterThan(PROGRAMS / 20);
        assertThat(result.count("CHAINED")).isGreaterThan(PROGRAMS / 5);
        assertThat(result.count("PROMISED")).isGreaterThan(PROGRAMS / 8);
        assertThat(result.mostInFlight()).isGreaterThan(3);
        assertThat(result.looking()).isGreaterThan(PROGRAMS / 4);
        for (String shape : PROGRAMS < 1_000 ? List.<String>of() : FuzzShape.all()) {
            assertThat(result.shapes().getOrDefault(shape, 0)).as(shape).isPositive();
        }
    }
}
