package dev.cleave.call;

import dev.cleave.concurrent.LendingThread;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.transport.WaitCondition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parks threads that wait for the end of a call. */
final class Wait {

    /** The time after which the server is told that a thread waits. */
    static final long BLOCKED_NANOS = 1_000_000;

    private static final System.Logger LOG = SafeLog.of(Wait.class);

    private Wait() {}

    /** Wakes a thread at the end of a call, or runs a task, whose failure must not keep the others waiting. */
    static void wake(@Nullable Object it) {
        if (it instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else if (it instanceof Runnable task) {
            try {
                task.run();
            } catch (Throwable e) { // an Error, too
                LOG.log(System.Logger.Level.ERROR, "task at the end of a call", e);
            }
        }
    }

    /**
     * Parks until a call, which wakes this thread, has ended; returns false if the time came first. The call is told of an
     * interrupt of the thread, whose flag is set afterwards.
     */
    static boolean until(Waiting call, long atNanos) {
        long since = System.nanoTime();
        return Thread.currentThread() instanceof LendingThread
                ? lending(call, () -> parkUntil(call, call, since, atNanos))
                : parkUntil(call, call, since, atNanos);
    }

    /**
     * Parks until a call has ended or the condition {@code other} holds; the thread that makes it hold wakes this one.
     *
     * @param since when the wait began
     * @return true if the call has ended or the time has come, false if only {@code other} holds
     */
    static boolean untilEither(Waiting call, WaitCondition other, long since, long atNanos) {
        WaitCondition either = () -> call.isDone() || other.isDone();
        boolean inTime = Thread.currentThread() instanceof LendingThread
                ? lending(call, () -> parkUntil(call, either, since, atNanos))
                : parkUntil(call, either, since, atNanos);
        return !inTime || call.isDone();
    }

    /** Runs a task that waits, and lends the worker slot of this thread meanwhile if it has one. */
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
        if (it.isDone()) {
            return true;
        }
        boolean interrupted = false;
        long now = System.nanoTime();
        BlockedTime.OF_PROCESS.begins(now);
        try {
            boolean tells = call.isToBeTold();
            long tellAt = tells ? since + BLOCKED_NANOS : atNanos;
            while (!it.isDone()) {
                if (atNanos - now <= 0) {
                    return false;
                }
                if (tells && now - tellAt >= 0) {
                    tells = false;
                    call.blocked();
                }
                call.block(it, tells && tellAt - atNanos < 0 ? tellAt : atNanos);
                now = System.nanoTime();
                if (Thread.interrupted() && !interrupted) {
                    interrupted = true;
                    call.interrupted();
                }
            }
            return true;
        } finally {
            BlockedTime.OF_PROCESS.ends(now);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
