package dev.cleave.test;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The time of {@link System#nanoTime}, which a test can set forward. Tasks that become due then run at once. */
final class TestClock implements Timer {

    private static final long PATIENCE_SECONDS = 20;

    private final SystemTimer real = SystemTimer.precise("cleave-test-clock");
    private final AtomicLong ahead = new AtomicLong();
    private final AtomicLong scheduled = new AtomicLong();
    private final ConcurrentSkipListSet<Task> tasks = new ConcurrentSkipListSet<>();
    private final Set<CountDownLatch> pauses = ConcurrentHashMap.newKeySet();

    @Override
    public long nanos() {
        return real.nanos() + ahead.get();
    }

    @Override
    public boolean mayJump() {
        return true;
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        return scheduleAt(nanos() + Math.max(0, delay.toNanos()), task);
    }

    @Override
    public Timeout scheduleAt(long atNanos, Runnable task) {
        Task added = new Task(atNanos, scheduled.incrementAndGet(), requireNonNull(task, "task"));
        tasks.add(added);
        added.schedule();
        return added;
    }

    /** Sets the time forward, and returns when the tasks that are due then have run. */
    void advance(Duration time) throws InterruptedException {
        ahead.addAndGet(time.toNanos());
        tasks.forEach(Task::schedule);
        CountDownLatch ran = new CountDownLatch(1);
        Timeout unused = real.schedule(Duration.ZERO, ran::countDown);
        if (!ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("tasks of the clock take more than " + PATIENCE_SECONDS + " s");
        }
    }

    /** Waits until a time has passed since {@code nanos}, or the clock is closed. */
    void pause(long nanos, Duration time) throws InterruptedException {
        CountDownLatch passed = new CountDownLatch(1);
        pauses.add(passed);
        Timeout timeout = scheduleAt(nanos + time.toNanos(), passed::countDown);
        try {
            passed.await();
        } finally {
            timeout.cancel();
            pauses.remove(passed);
        }
    }

    @Override
    public void close() {
        real.close();
        pauses.forEach(CountDownLatch::countDown);
    }

    /** A task at a time of this clock; in the real timer at the time that this is now. */
    private final class Task implements Timeout, Comparable<Task>, Runnable {

        private final long atNanos;
        private final long number;
        private final Runnable task;
        private final AtomicBoolean isTaken = new AtomicBoolean();
        private @Nullable Timeout waiting; // guarded by this

        Task(long atNanos, long number, Runnable task) {
            this.atNanos = atNanos;
            this.number = number;
            this.task = task;
        }

        synchronized void schedule() {
            if (waiting != null) {
                waiting.cancel();
            }
            if (!isTaken.get()) {
                waiting = real.scheduleAt(atNanos - ahead.get(), this);
            }
        }

        @Override
        public void run() {
            if (take()) {
                task.run();
            }
        }

        @Override
        public boolean cancel() {
            return take();
        }

        private boolean take() {
            tasks.remove(this);
            return isTaken.compareAndSet(false, true);
        }

        @Override
        public int compareTo(Task other) {
            int byTime = Long.signum(atNanos - other.atNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
