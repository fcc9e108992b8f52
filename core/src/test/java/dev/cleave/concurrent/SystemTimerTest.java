package dev.cleave.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemTimerTest {

    private final SystemTimer timer = SystemTimer.precise("timer-under-test");

    @AfterEach
    void close() {
        timer.close();
    }

    @Test
    void runsTasksInTheOrderOfTheirTimes() {
        ConcurrentLinkedQueue<Integer> ran = new ConcurrentLinkedQueue<>();
        long start = timer.nanos();

        timer.scheduleAt(start + 530_000_000, () -> ran.add(3));
        timer.scheduleAt(start + 510_000_000, () -> ran.add(1));
        timer.scheduleAt(start + 520_000_000, () -> ran.add(2));
        timer.scheduleAt(start + 530_000_000, () -> ran.add(4));

        await().untilAsserted(() -> assertThat(ran).containsExactly(1, 2, 3, 4));
    }

    @Test
    void whatIsFarAwayRunsInOrderOrIsTakenBack() {
        ConcurrentLinkedQueue<Integer> ran = new ConcurrentLinkedQueue<>();
        long start = timer.nanos();
        List<Timer.Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int number = i;
            long at = start + (i % 2 == 0 ? 450 - i : 300 - i) * 1_000_000L;
            timeouts.add(timer.scheduleAt(at, () -> ran.add(number)));
        }
        timer.schedule(Duration.ofHours(1), () -> ran.add(-1));

        // on a machine that is taken from the test for a while, some have run before they are taken back
        Set<Integer> takenBack = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            if (i % 4 > 1 && timeouts.get(i).cancel()) {
                takenBack.add(i);
                assertThat(timeouts.get(i).cancel()).isFalse();
            }
        }

        List<Integer> runs = IntStream.concat(
                        IntStream.rangeClosed(1, 20).map(i -> 41 - 2 * i),
                        IntStream.rangeClosed(1, 20).map(i -> 40 - 2 * i))
                .filter(i -> !takenBack.contains(i))
                .boxed()
                .toList();
        await().untilAsserted(() -> assertThat(ran).containsExactlyElementsOf(runs));
    }

    @Test
    void neverRunsEarly() throws InterruptedException {
        List<Long> early = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            long at = timer.nanos() + i * 200_000L;
            timer.scheduleAt(at, () -> {
                early.add(at - timer.nanos());
                done.countDown();
            });
        }

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(early).allMatch(nanos -> nanos <= 0);
    }

    @Test
    void isLateByLessThanHalfAMillisecondWhereTheMachineLetsIt() throws InterruptedException {
        long[] late = new long[51];
        for (int i = 0; i < late.length; i++) {
            int round = i;
            long at = timer.nanos() + 2_000_000;
            CountDownLatch ran = new CountDownLatch(1);
            timer.scheduleAt(at, () -> {
                late[round] = timer.nanos() - at;
                ran.countDown();
            });
            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        }
        Arrays.sort(late);

        assertThat(late[late.length / 10]).isLessThan(500_000); // a busy machine delays most of them
    }

    @Test
    void runsAnEarlierTaskBeforeTheOneItSleepsFor() {
        AtomicInteger ran = new AtomicInteger();
        Timer.Timeout later = timer.schedule(Duration.ofHours(1), () -> ran.addAndGet(100));

        timer.schedule(Duration.ofMillis(1), ran::incrementAndGet);

        await().until(() -> ran.get() == 1);
        assertThat(later.cancel()).isTrue();
    }

    @Test
    void cancelsOnceAndOnlyBeforeTheTaskBegins() {
        AtomicInteger ran = new AtomicInteger();
        Timer.Timeout waiting = timer.schedule(Duration.ofHours(1), ran::incrementAndGet);
        Timer.Timeout due = timer.schedule(Duration.ZERO, ran::incrementAndGet);

        await().until(() -> ran.get() == 1);
        assertThat(due.cancel()).isFalse();
        assertThat(waiting.cancel()).isTrue();
        assertThat(waiting.cancel()).isFalse();
    }

    @Test
    void survivesATaskThatThrows() {
        AtomicInteger ran = new AtomicInteger();
        timer.schedule(Duration.ZERO, () -> {
            throw new IllegalStateException("expected by the test");
        });

        timer.schedule(Duration.ofMillis(1), ran::incrementAndGet);

        await().until(() -> ran.get() == 1);
    }

    @Test
    void takesNothingAfterItsClose() {
        timer.close();

        assertThat(timer.schedule(Duration.ZERO, () -> {}).cancel()).isFalse();
    }

    @Test
    void survivesATaskThatThrowsAnError() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        timer.scheduleAt(timer.nanos(), () -> {
            throw new StackOverflowError("of a test");
        });

        timer.scheduleAt(timer.nanos() + 1_000_000, done::countDown);

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
