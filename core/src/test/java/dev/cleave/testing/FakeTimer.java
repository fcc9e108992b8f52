package dev.cleave.testing;

import dev.cleave.concurrent.Timer;
import java.time.Duration;
import java.util.TreeMap;

/** A timer whose time goes on only when a test says so; tasks run on the thread that says it. */
public final class FakeTimer implements Timer {

    private final TreeMap<Key, Runnable> tasks = new TreeMap<>();
    private long now = 1_000_000_000L;
    private long scheduled;
    private boolean closed;

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized Timeout schedule(Duration delay, Runnable task) {
        return scheduleAt(now + Math.max(0, delay.toNanos()), task);
    }

    @Override
    public synchronized Timeout scheduleAt(long atNanos, Runnable task) {
        Key key = new Key(atNanos, scheduled++);
        if (!closed) {
            tasks.put(key, task);
        }
        return () -> take(key) != null;
    }

    /** Lets time pass, and runs on this thread what becomes due, each task at its own time. */
    public void advance(Duration duration) {
        long end = nanos() + duration.toNanos();
        Runnable task = nextUntil(end);
        while (task != null) {
            task.run();
            task = nextUntil(end);
        }
    }

    /** How many tasks wait. */
    public synchronized int pending() {
        return tasks.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        tasks.clear();
    }

    private synchronized Runnable take(Key key) {
        return tasks.remove(key);
    }

    private synchronized Runnable nextUntil(long end) {
        if (tasks.isEmpty() || tasks.firstKey().atNanos() > end) {
            now = end;
            return null;
        }
        now = Math.max(now, tasks.firstKey().atNanos());
        return tasks.pollFirstEntry().getValue();
    }

    private record Key(long atNanos, long sequence) implements Comparable<Key> {

        @Override
        public int compareTo(Key other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
