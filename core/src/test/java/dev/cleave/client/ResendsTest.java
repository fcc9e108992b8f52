package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.replica.RetryBudget;
import dev.cleave.testing.FakeTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResendsTest {

    private static final Duration PAUSE = Duration.ofMillis(150);

    private final FakeTimer timer = new FakeTimer();
    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private final Resends resends = new Resends(threads, timer, new RetryBudget(timer::nanos, new Random(1)));
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private void later() {
        resends.later(PAUSE, () -> told.add("task"), closed -> told.add("late"));
    }

    @Test
    void aTaskRunsWhenItsTimeHasPassed() {
        later();
        timer.advance(PAUSE.minusNanos(1));
        assertThat(told).isEmpty();

        timer.advance(Duration.ofNanos(1));
        resends.close();

        assertThat(told).containsExactly("task");
    }

    @Test
    void whoWaitsWhenTheNodeIsClosedIsTold() {
        later();

        resends.close();
        timer.advance(PAUSE);

        assertThat(told).containsExactly("late");
    }

    @Test
    void whoComesWhenTheNodeAndItsTimerAreClosedIsTold() {
        resends.close();
        timer.close();

        later();

        assertThat(told).containsExactly("late");
    }

    @Test
    void aTaskThatNobodyTakesAnyMoreIsTold() {
        resends.later(PAUSE, () -> resends.recall(() -> told.add("task"), false), closed -> told.add("late"));
        threads.shutdown();

        timer.advance(PAUSE);

        assertThat(told).containsExactly("late");
    }
}
