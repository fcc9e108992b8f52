package dev.cleave.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerTimesTest {

    private static void add(AnswerTimes times, int calls, long nanos) {
        for (int i = 0; i < calls; i++) {
            times.add(nanos);
        }
    }

    @Test
    void fewCallsSayNothing() {
        AnswerTimes times = new AnswerTimes(950);

        add(times, AnswerTimes.FEW - 1, 1_000_000);

        assertThat(times.nanos()).isNegative();
    }

    @Test
    void thePartThatIsAskedForHasBeenAnsweredByThen() {
        AnswerTimes times = new AnswerTimes(950);

        for (int i = 0; i < 10; i++) {
            add(times, 94, 1_000_000);
            add(times, 6, 50_000_000);
        }

        assertThat(times.nanos()).isBetween(50_000_000L, 57_000_000L);
    }

    @Test
    void theSlowestTwentiethDoesNotCount() {
        AnswerTimes times = new AnswerTimes(950);

        for (int i = 0; i < 10; i++) {
            add(times, 96, 1_000_000);
            add(times, 4, 50_000_000);
        }

        assertThat(times.nanos()).isBetween(1_000_000L, 1_130_000L);
    }

    @Test
    void whatWasLongAgoIsForgotten() {
        AnswerTimes times = new AnswerTimes(900);
        add(times, 10_000, 80_000_000);

        add(times, 10_000, 2_000_000);

        assertThat(times.nanos()).isBetween(2_000_000L, 2_260_000L);
    }

    @Test
    void theShortestAndTheLongestTimesHaveAPlace() {
        AnswerTimes times = new AnswerTimes(500);

        add(times, 100, 0);
        assertThat(times.nanos()).isBetween(1L, 16L);
        add(times, 10_000, Long.MAX_VALUE / 32);
        assertThat(times.nanos()).isGreaterThanOrEqualTo(Long.MAX_VALUE / 32);
    }
}
