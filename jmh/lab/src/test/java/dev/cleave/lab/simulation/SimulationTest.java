package dev.cleave.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters in which much goes wrong; {@code bin/cleave simulate --seed S} tells the story of one. */
@Tag("one-jdk")
class SimulationTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int SEEDS = FULL ? 2_000 : 60;
    private static final int OF_EACH_SCHEDULE = FULL ? 10 : 4;

    @Test
    void everyPromiseIsKeptInManyClusters() {
        List<String> broken = LongStream.range(0, SEEDS)
                .parallel()
                .mapToObj(seed -> told(seed, new Simulation(seed).run()))
                .filter(story -> !story.isEmpty())
                .toList();

        assertThat(broken).isEmpty();
    }

    @Test
    void aSeedSaysAllThatHappens() {
        for (long seed = 0; seed < Schedule.values().length; seed++) {
            Simulation.Result once = new Simulation(seed).replay();
            Simulation.Result again = new Simulation(seed).replay();

            assertThat(again).isEqualTo(once);
            assertThat(once.fingerprint()).isEqualTo(new Simulation(seed).run().fingerprint());
            assertThat(once.story()).hasSizeGreaterThan(800);
        }
    }

    @Test
    void thereIsEnoughTroubleToLeaveCallsInDoubt() {
        for (Schedule schedule : Schedule.values()) {
            long inDoubt = LongStream.range(0, OF_EACH_SCHEDULE)
                    .map(i -> new Simulation(seedOf(schedule, i)).run().inDoubt())
                    .sum();

            if (schedule == Schedule.CROWDED) { // what is lost and then refused may have been executed
                assertThat(inDoubt).as(schedule.name()).isPositive();
            } else if (schedule == Schedule.CUT_LINKS) { // servers live, and remember
                assertThat(inDoubt).as(schedule.name()).isZero();
            } else if (schedule != Schedule.SLOW_OBSERVER) { // which breaks nobody but the broker
                assertThat(inDoubt).as(schedule.name()).isPositive();
            }
        }
    }

    /** The seed of a cluster with a schedule: the first, the second, and so on. */
    private static long seedOf(Schedule schedule, long which) {
        return LongStream.iterate(0, seed -> seed + 1)
                .filter(seed -> Schedule.of(seed) == schedule)
                .skip(which)
                .findFirst()
                .orElseThrow();
    }

    private static String told(long seed, Simulation.Result result) {
        return result.broken().isEmpty() ? "" : "seed " + seed + ", " + result.schedule() + ": " + result.broken();
    }
}
