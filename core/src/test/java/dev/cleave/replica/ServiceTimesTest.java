package dev.cleave.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ServiceTimesTest {

    private final ServiceTimes times = new ServiceTimes();

    private static Work work(Object kind, double size) {
        return new Work(null, kind, size);
    }

    @Test
    void largerOnesAreLongerBeforeAnyHasEnded() {
        assertThat(times.of(work("a", 2_000))).isGreaterThan(times.of(work("b", 1_000)));
    }

    @Test
    void learnsTheTimeOfAByte() {
        for (int size = 1; size <= 64; size++) {
            times.ended(work("a", size * 100), size * 1_000_000L);
        }

        assertThat(times.of(work("a", 1_000))).isCloseTo(10e6, within(0.5e6));
        assertThat(times.of(work("a", 100_000))).as("beyond all that was seen").isCloseTo(1e9, within(0.1e9));
    }

    @Test
    void learnsThatSizesDoNotMatter() {
        for (int i = 0; i < 200; i++) {
            times.ended(work("a", 1 << i % 12), 5_000_000);
        }

        assertThat(times.of(work("a", 4_096)) / times.of(work("a", 1))).isLessThan(1.2);
    }

    @Test
    void learnsThatTheLargerOnesAreShorter() {
        for (int i = 0; i < 200; i++) {
            times.ended(work("a", 1 << i % 12), 8_000_000_000L >> i % 12);
        }

        assertThat(times.of(work("a", 1))).isGreaterThan(times.of(work("a", 2_048)));
    }

    @Test
    void kindsDifferAndUnknownOnesAreTakenForTheAverage() {
        for (int i = 0; i < 50; i++) {
            times.ended(work("slow", 100), 90_000_000);
            times.ended(work("fast", 100), 1_000_000);
        }

        assertThat(times.of(work("slow", 100))).isCloseTo(90e6, within(1e6));
        assertThat(times.of(work("fast", 100))).isCloseTo(1e6, within(0.1e6));
        assertThat(times.of(work("new", 100))).isBetween(1e6, 90e6);
    }

    @Test
    void followsWhatChanges() {
        for (int i = 0; i < 500; i++) {
            times.ended(work("a", 100), 1_000_000);
        }
        for (int i = 0; i < 200; i++) {
            times.ended(work("a", 100), 16_000_000);
        }

        assertThat(times.of(work("a", 100))).isGreaterThan(14e6);
    }
}
