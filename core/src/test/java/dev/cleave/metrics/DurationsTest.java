package dev.cleave.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class DurationsTest {

    @Test
    void withoutDurationsThereIsNoPercentile() {
        assertThat(new Durations().quantile(500)).isEqualTo(-1);
    }

    @Test
    void aPercentileIsAnEighthTooLongAtMost() {
        Durations durations = new Durations();
        List<Long> exact = new ArrayList<>();
        Random random = new Random(42);
        for (int i = 0; i < 1_000; i++) {
            long nanos = (long) (1_000 * Math.exp(10 * random.nextDouble()));
            exact.add(nanos);
            durations.add(nanos);
        }
        exact.sort(null);

        for (int perMille : new int[] {1, 100, 500, 900, 990, 1_000}) {
            long wanted = exact.get(Math.max(0, perMille - 1));
            assertThat(durations.quantile(perMille)).isBetween(wanted, wanted + wanted / 8 + 1);
        }
    }

    @Test
    void noDurationIsLostWhereSeveralThreadsAddThem() throws InterruptedException {
        Durations durations = new Durations();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long nanos = 1_000L << i;
            Thread thread = new Thread(() -> {
                for (int k = 0; k < 450; k++) {
                    durations.add(nanos);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(durations.add(1)).isEqualTo(1_801);
        assertThat(durations.quantile(250)).isBetween(1_000L, 1_130L);
        assertThat(durations.quantile(750)).isBetween(4_000L, 4_520L);
        assertThat(durations.quantile(1_000)).isBetween(8_000L, 9_040L);
    }

    @Test
    void whatWasLongAgoCountsLessAndLess() {
        Durations durations = new Durations();
        int counted = 0;
        for (int i = 0; i < 10_000; i++) {
            counted = durations.add(80_000_000);
        }
        assertThat(counted).isBetween(900, 2_000);
        for (int i = 0; i < 10_000; i++) {
            durations.add(2_000_000);
        }

        assertThat(durations.quantile(990)).isBetween(2_000_000L, 2_260_000L);
    }
}
