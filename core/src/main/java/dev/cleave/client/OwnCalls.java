package dev.cleave.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls that one thread has sent ahead and that have not ended. The thread that sends them waits for their
 * end; any thread may end them.
 */
final class OwnCalls {

    private static final ThreadLocal<OwnCalls> HERE = ThreadLocal.withInitial(OwnCalls::new);

    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable Thread waiting;

    private OwnCalls() {}

    /** Those of the current thread. */
    static OwnCalls here() {
        return HERE.get();
    }

    void sent() {
        inFlight.incrementAndGet();
    }

    void ended() {
        if (inFlight.decrementAndGet() == 0) {
            Thread thread = waiting;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Whether none is in flight. */
    boolean areOver() {
        return inFlight.get() == 0;
    }

    /** Waits until none is in flight, or a time of {@link System#nanoTime}; an interrupt does not end the wait. */
    void awaitEnd(long atNanos) {
        waiting = Thread.currentThread();
        boolean interrupted = false;
        long left = atNanos - System.nanoTime();
        while (left > 0 && !areOver()) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
            left = atNanos - System.nanoTime();
        }
        waiting = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a time of {@link System#nanoTime}; an interrupt does not end the wait. */
    static void pause(long atNanos) {
        boolean interrupted = false;
        long left = atNanos - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
            left = atNanos - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
