package dev.cleave.client;

import dev.cleave.CallException.Execution;
import dev.cleave.call.Failures;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Carrier;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one-way calls of a node that have not been answered yet.
 *
 * <p>There are at most {@value #MOST}; a thread that makes one more waits. While a thread has pending ones, all its
 * calls go in a lane of their own, so that a replica executes them in the order of the thread. A call over another
 * carrier waits until they are answered; so does every call when their connection has broken. Failures are counted,
 * and logged each time that their number has doubled. Thread-safe.
 */
final class OneWays {

    /** The most one-way calls of a node that have not been answered. */
    static final int MOST = 256;

    private static final System.Logger LOG = SafeLog.of(OneWays.class);
    private static final long THREADS = 1L << 63; // lanes of chains have the positive numbers of calls

    private final Semaphore room = new Semaphore(MOST);
    private final Map<Long, Sent> pending = new ConcurrentHashMap<>(); // by thread
    private final AtomicLong failures = new AtomicLong();

    /** The number of unanswered calls of a thread, their carrier, and the last of them. */
    private record Sent(int count, Carrier carrier, Ordered last) {}

    /**
     * Makes room for a call of this thread; waits for it up to the deadline of the method.
     *
     * @throws dev.cleave.OverloadException if there is no room by then; the call has not been made
     */
    void enter(Ordered call, String service) {
        RemoteMethod method = call.method();
        if (isOtherwise(call)) {
            drain(method.conduct().deadline());
        }
        if (!acquire(1, method.conduct().deadline())) {
            throw Failures.exception(
                    ErrorCode.OVERLOAD,
                    Execution.NOT_EXECUTED,
                    MOST + " one-way calls of this node are unanswered (expected: fewer within "
                            + method.conduct().deadline() + ")",
                    method.site(service, null),
                    null);
        }
        Sent one = new Sent(1, method.conduct().traffic().carrierOrAuto(), call);
        pending.merge(Thread.currentThread().getId(), one, (sent, more) -> {
            call.follows(sent.last());
            return new Sent(sent.count() + 1, more.carrier(), call);
        });
    }

    /** Counts that a one-way call of a thread has ended, with a failure or without. On any thread. */
    void ended(long thread, RemoteMethod method, @Nullable String failure) {
        pending.computeIfPresent(
                thread,
                (id, sent) -> sent.count() == 1 ? null : new Sent(sent.count() - 1, sent.carrier(), sent.last()));
        room.release();
        if (failure != null) {
            long count = failures.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} one-way calls of this node have failed, last {1}: {2}",
                        count,
                        method.label(),
                        failure);
            }
        }
    }

    /**
     * Returns the lane for a call of this thread, null if the thread has no pending one-way calls. Waits, up to the
     * deadline of the method, for pending ones over another carrier or a broken connection.
     */
    @Nullable
    Lane lane(Ordered call) {
        if (pending.isEmpty()) {
            return null;
        }
        if (isOtherwise(call)) {
            drain(call.method().conduct().deadline());
        }
        long thread = Thread.currentThread().getId();
        Sent sent = pending.get(thread);
        if (sent == null) {
            return null;
        }
        if (sent.last() != call) {
            call.follows(sent.last());
        }
        Ordered before = call.before();
        if (before != null && !before.isInPlace()) {
            boolean unused = before.hasAnswer(); // the replica that the earlier call goes to is not known now
        }
        return new Lane(THREADS | thread, Lane.Kind.THREAD, false);
    }

    /** Whether one-way calls of any thread have not been answered. */
    boolean arePending() {
        return !pending.isEmpty();
    }

    private boolean isOtherwise(Ordered call) {
        Sent sent = pending.get(Thread.currentThread().getId());
        return sent != null
                && sent.last() != call
                && (!sent.carrier().equals(call.method().conduct().traffic().carrierOrAuto())
                        || !sent.last().isInPlace());
    }

    /** How many one-way calls have failed. */
    long failures() {
        return failures.get();
    }

    /** Waits until all calls have been answered, for {@code atMost}. */
    void drain(Duration atMost) {
        if (acquire(MOST, atMost)) {
            room.release(MOST);
        }
    }

    /** Acquires permits within a time. An interrupt does not end the wait; the thread's flag is set afterwards. */
    private boolean acquire(int permits, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return room.tryAcquire(permits, Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
