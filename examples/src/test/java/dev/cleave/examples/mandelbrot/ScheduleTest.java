package dev.cleave.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cleave.testing.Seed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ScheduleTest {

    @Test
    void oneMachineDoesAll() {
        assertThat(Schedule.best(7, List.of(2.0))).isEqualTo(14.0);
    }

    @Test
    void slowMachineMayStayIdle() {
        assertThat(Schedule.best(3, List.of(1.0, 10.0))).isEqualTo(3.0);
    }

    @Test
    void noDivisionOfTheTasksIsBetter() {
        long seed = Seed.of(ScheduleTest.class);
        Random random = new Random(seed);

        for (int i = 0; i < 200; i++) {
            List<Double> perTask =
                    List.of(1 + random.nextDouble(), 1 + 3 * random.nextDouble(), 5 * random.nextDouble());
            int tasks = random.nextInt(12);

            assertThat(Schedule.best(tasks, perTask))
                    .as("seed %d: %d tasks on %s", seed, tasks, perTask)
                    .isEqualTo(exhaustive(tasks, perTask));
        }
    }

    @Test
    void idealsFollowFromThePapersTable() {
        assertThat(Machine.HARVEY.idealSync()).isEqualTo(216.0 / Machine.SCALE, within(1e-9));
        assertThat(Machine.HARVEY.idealAsync()).isEqualTo(125.0 / Machine.SCALE, within(1e-9));
        assertThat(Machine.HIGHPOWER.idealAsync()).isEqualTo(30.0 / Machine.SCALE, within(1e-9));
        assertThat(Machine.idealFour() * Machine.SCALE).isEqualTo(13.0, within(0.2));
    }

    private static double exhaustive(int tasks, List<Double> perTask) {
        double best = Double.MAX_VALUE;
        for (int a = 0; a <= tasks; a++) {
            for (int b = 0; a + b <= tasks; b++) {
                double end = Math.max(a * perTask.get(0), b * perTask.get(1));
                best = Math.min(best, Math.max(end, (tasks - a - b) * perTask.get(2)));
            }
        }
        return best;
    }
}
