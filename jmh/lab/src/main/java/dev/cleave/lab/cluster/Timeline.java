package dev.cleave.lab.cluster;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** The events in a simulated cluster, in the order of its clock. */
final class Timeline {

    private static final int MOST_WAITING = 3;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
    private final RandomGenerator random;
    private long now;
    private long count;
    private int depth;

    private record Event(long atNanos, long number, Runnable task) {}

    Timeline(RandomGenerator random) {
        this.random = random;
    }

    long nanos() {
        return now;
    }

    /** Lets a task run after a number of milliseconds. */
    void after(long millis, Runnable task) {
        events.add(new Event(now + millis * 1_000_000, count++, task));
    }

    private void afterNanos(long nanos, Runnable task) {
        events.add(new Event(now + nanos, count++, task));
    }

    /** Runs until a time, in milliseconds since the beginning. */
    void runUntil(long millis) {
        while (!events.isEmpty() && events.peek().atNanos() <= millis * 1_000_000) {
            Event next = events.remove();
            now = next.atNanos();
            next.task().run();
        }
        now = Math.max(now, millis * 1_000_000);
    }

    /** A number from 0 on. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** A number of milliseconds, most often 0. */
    int upTo(int most) {
        return random.nextInt(3) == 0 ? random.nextInt(most) : 0;
    }

    /** Whether {@link #letOthersRun} does. */
    boolean letsOthersRun() {
        return depth < MOST_WAITING;
    }

    /** Lets other threads go on for some milliseconds while the one that calls waits. */
    void letOthersRun(long millis) {
        if (letsOthersRun() && millis > 0) {
            depth++;
            try {
                runUntil(now / 1_000_000 + millis);
            } finally {
                depth--;
            }
        }
    }

    /** Times of a number of milliseconds, from one on. */
    LongSupplier millis(int longest) {
        return () -> (random.nextInt(longest) + 1) * 1_000_000L;
    }

    /** Times between two bounds, in nanoseconds. */
    LongSupplier between(long shortest, long longest) {
        return () -> random.nextLong(shortest, longest + 1);
    }

    /** Times like others, and besides until the store, which serves one after the other, has served all that came before. */
    LongSupplier inTurn(LongSupplier others, long turnNanos, long[] freeAt) {
        return () -> {
            freeAt[0] = Math.max(now, freeAt[0]) + turnNanos;
            return freeAt[0] - now + others.getAsLong();
        };
    }

    /**
     * Returns a thread, which runs its tasks one after the other.
     *
     * @param time gives the nanoseconds that the next task takes from now on
     * @param stands whether it stands still now; its tasks then wait
     * @param ended whether it has ended; its tasks are dropped
     */
    Executor thread(LongSupplier time, BooleanSupplier stands, BooleanSupplier ended) {
        Queue<Runnable> waiting = new ArrayDeque<>();
        return task -> {
            waiting.add(task);
            if (waiting.size() == 1) {
                runNext(waiting, time, stands, ended);
            }
        };
    }

    private void runNext(Queue<Runnable> waiting, LongSupplier time, BooleanSupplier stands, BooleanSupplier ended) {
        afterNanos(time.getAsLong(), () -> {
            if (ended.getAsBoolean()) {
                waiting.clear();
                return;
            }
            if (!stands.getAsBoolean()) {
                try {
                    waiting.element().run();
                } finally {
                    waiting.remove();
                }
            }
            if (!waiting.isEmpty()) {
                runNext(waiting, time, stands, ended);
            }
        });
    }
}
