package dev.cleave.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls that one thread has sent ahead and that have not ended. The thread that sends them waits for their
 * end; any thread may end them.
 */
final class OwnCalls {

    /** The first time for which a thread waits for room. */
    static final long FIRST_PAUSE_NANOS = 1_000_000;

    private static final long LONGEST_PAUSE_NANOS = 100_000_000;
    private static final int MOST_DOUBLINGS = 7;

    private static final ThreadLocal<OwnCalls> HERE = ThreadLocal.withInitial(OwnCalls::new);

    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable Thread waiting;

    private OwnCalls() {}

    /** Returns the calls of the current thread. */
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

    /** Whether no call is in flight. */
    private boolean areOver() {
        return inFlight.get() == 0;
    }

    /**
     * Waits until a server that had no room may have some. Does not wait before the first repetition: a server refuses
     * a call sent ahead rather than this one. Later waits for the calls that this thread has in flight; if there are
     * none, for random, growing times.
     *
     * @param made how often the call has been made
     * @param deadlineAt when the call must have ended, as {@link System#nanoTime}
     */
    static void awaitRoom(int made, long deadlineAt) {
        OwnCalls here = here();
        if (made == 0) {
            return;
        }
        long pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(made, MOST_DOUBLINGS));
        long now = System.nanoTime();
        long longest = Math.max(0, Math.min(pause, deadlineAt - now - FIRST_PAUSE_NANOS));
        if (here.areOver()) {
            pause(now + ThreadLocalRandom.current().nextLong(longest + 1));
        } else {
            here.awaitEnd(now + longest);
        }
    }

    /** Waits until none is in flight, or a time of {@link System#nanoTime}; an interrupt does not end the wait. */
    private void awaitEnd(long atNanos) {
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
    private static void pause(long atNanos) {
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
