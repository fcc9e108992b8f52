package dev.cleave.call;

import dev.cleave.concurrent.LendingThread;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.transport.WaitCondition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parks threads that wait for the end of a call. */
final class Wait {

    /** How long a thread waits before the server is told that it does. */
    static final long BLOCKED_NANOS = 1_000_000;

    private static final System.Logger LOG = SafeLog.of(Wait.class);

    private Wait() {}

    /** The end of a call: wakes a thread that waits for it, or runs a task, whose failure must not keep the others waiting. */
    static void wake(@Nullable Object it) {
        if (it instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else if (it instanceof Runnable task) {
            try {
                task.run();
            } catch (Throwable e) { // an Error as well
                LOG.log(System.Logger.Level.ERROR, "task at the end of a call", e);
            }
        }
    }

    /**
     * Parks until a call, which wakes this thread, has ended; false if the time came first. An interrupt is kept for
     * afterwards.
     */
    static boolean until(Waiting call, long atNanos) {
        long since = System.nanoTime();
        return Thread.currentThread() instanceof LendingThread
                ? lending(call, () -> parkUntil(call, call, since, atNanos))
                : parkUntil(call, call, since, atNanos);
    }

    /**
     * The same until the call has ended or something else has come, of which somebody wakes this thread.
     *
     * @param since when the wait began
     * @return whether the call has ended, or the time has come
     */
    static boolean untilEither(Waiting call, WaitCondition other, long since, long atNanos) {
        WaitCondition either = () -> call.isDone() || other.isDone();
        boolean inTime = Thread.currentThread() instanceof LendingThread
                ? lending(call, () -> parkUntil(call, either, since, atNanos))
                : parkUntil(call, either, since, atNanos);
        return !inTime || call.isDone();
    }

    /** Waits as a task does, and lends the slot of this thread meanwhile if it has one. */
    static <T extends @Nullable Object> T lending(Waiting call, Supplier<T> task) {
        if (!(Thread.currentThread() instanceof LendingThread lender)) {
            return task.get();
        }
        lender.lend(call.waitNumber());
        try {
            return task.get();
        } finally {
            lender.reclaim();
        }
    }

    private static boolean parkUntil(Waiting call, WaitCondition it, long since, long atNanos) {
        boolean interrupted = false;
        try {
            boolean tells = call.isToBeTold();
            long tellAt = tells ? since + BLOCKED_NANOS : atNanos;
            while (!it.isDone()) {
                long now = System.nanoTime();
                if (atNanos - now <= 0) {
                    return false;
                }
                if (tells && now - tellAt >= 0) {
                    tells = false;
                    call.blocked();
                }
                call.block(it, tells && tellAt - atNanos < 0 ? tellAt : atNanos);
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
