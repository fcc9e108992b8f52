package dev.cleave.concurrent;

import java.time.Duration;

/**
 * A clock, and tasks at times of it.
 *
 * <p>Thread-safe. Tasks run one at a time on the timer's thread, in the order of their times, tasks of equal time in
 * the order in which they were scheduled; they may not block. After {@link #close} no task begins.
 */
public interface Timer extends AutoCloseable {

    /** The time in nanoseconds since some fixed moment; never goes back, and is not the time of day. */
    long nanos();

    /**
     * Runs a task once, at {@code delay} from now or as soon after as possible; a delay that is not positive means at
     * once.
     */
    Timeout schedule(Duration delay, Runnable task);

    /** Runs a task once, when {@link #nanos} has reached {@code atNanos}. */
    Timeout scheduleAt(long atNanos, Runnable task);

    /** Whether its time may jump ahead, so that a thread that parks until a time of it may sleep too long. */
    default boolean mayJump() {
        return false;
    }

    @Override
    void close();

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Timeout {

        /** Cancels the task. @return whether this call cancelled it, so that it has not begun and will not */
        boolean cancel();
    }
}
