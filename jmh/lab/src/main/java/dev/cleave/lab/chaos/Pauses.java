package dev.cleave.lab.chaos;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when this machine, or this process, stands still: a thread that wants to wake every few milliseconds, and by how much it
 * was late. What a call took longer than promised is held against it.
 */
final class Pauses implements AutoCloseable {

    private static final long TICK_NANOS = 5_000_000;

    private final AtomicLong longest = new AtomicLong();
    private final Thread thread = new Thread(this::watch, "chaos-pauses");
    private volatile boolean closed;

    private Pauses() {}

    /** Begins to watch. */
    static Pauses watching() {
        Pauses pauses = new Pauses();
        pauses.thread.setDaemon(true);
        pauses.thread.start();
        return pauses;
    }

    /** The longest one since this was last asked for, in nanoseconds. */
    long take() {
        return longest.getAndSet(0);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        while (!closed) {
            long began = System.nanoTime();
            LockSupport.parkNanos(TICK_NANOS);
            longest.accumulateAndGet(System.nanoTime() - began - TICK_NANOS, Math::max);
        }
    }
}
