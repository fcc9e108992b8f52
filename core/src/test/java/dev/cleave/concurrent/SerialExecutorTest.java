package dev.cleave.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

    private static final int WRITERS = 8;
    private static final int TASKS = 10_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final SerialExecutor serial = new SerialExecutor(threads);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void keepsTheOrderOfEachWriterAndRunsOneTaskAtATime() throws InterruptedException {
        List<int[]> ran = new ArrayList<>(); // unguarded on purpose: the executor is the guard
        CountDownLatch done = new CountDownLatch(WRITERS * TASKS);
        for (int w = 0; w < WRITERS; w++) {
            int writer = w;
            new Thread(() -> {
                        for (int i = 0; i < TASKS; i++) {
                            int number = i;
                            serial.execute(() -> {
                                ran.add(new int[] {writer, number});
                                done.countDown();
                            });
                        }
                    })
                    .start();
        }

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasSize(WRITERS * TASKS);
        int[] next = new int[WRITERS];
        for (int[] task : ran) {
            assertThat(task[1]).isEqualTo(next[task[0]]++);
        }
    }

    @Test
    void runsTheNextTaskAfterOneThatThrows() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        serial.execute(() -> {
            throw new IllegalStateException("expected by the test");
        });

        serial.execute(done::countDown);

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anErrorOfATaskDoesNotKeepTheOthersFromRunning() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        serial.execute(() -> {
            throw new StackOverflowError("of a test");
        });

        serial.execute(done::countDown);

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void goesOnWhenThereWasNoThreadForATask() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        SerialExecutor starved = new SerialExecutor(task -> {
            if (asked.incrementAndGet() == 1) {
                throw new OutOfMemoryError("no thread, of a test");
            }
            threads.execute(task);
        });
        CountDownLatch done = new CountDownLatch(1);
        assertThatThrownBy(() -> starved.execute(() -> {})).isInstanceOf(OutOfMemoryError.class);

        starved.execute(done::countDown);

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** As when a transport ends while one thread asks for a thread and another one tells a handler of the end. */
    @Test
    void runsWhatItHasAcceptedThoughTheOtherExecutorEndsMeanwhile() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger rejected = new AtomicInteger();
        List<SerialExecutor> itself = new ArrayList<>();
        itself.add(new SerialExecutor(task -> {
            itself.get(0).execute(done::countDown);
            throw new RejectedExecutionException("of a test");
        }));

        assertThatThrownBy(() -> itself.get(0).execute(rejected::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class);

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(rejected).hasValue(0);
    }
}
