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
 * <p>There are at most {@value #MOST}; whoever makes one more waits. While a thread has some, all that it sends goes in a
 * lane of its own, so that a replica executes it in the order of the thread; what something else carries waits until they are
 * answered, and so does everything when their connection has broken. Failures are counted, and logged each time
 * that their number has doubled. Thread-safe.
 */
final class OneWays {

    /** The most one-way calls of a node that have not been answered. */
    static final int MOST = 256;

    private static final System.Logger LOG = SafeLog.of(OneWays.class);
    private static final long THREADS = 1L << 63; // lanes of calls are named by their numbers, which are positive

    private final Semaphore room = new Semaphore(MOST);
    private final Map<Long, Sent> pending = new ConcurrentHashMap<>(); // by thread
    private final AtomicLong failures = new AtomicLong();

    /** How many calls of a thread are not answered, what carries them, and the last of them. */
    private record Sent(int count, Carrier carrier, Ordered last) {}

    /**
     * Makes room for a call of this thread, waiting for as long as a call of the method may take.
     *
     * @throws dev.cleave.OverloadException if there is none by then; the call has not been made
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

    /** The call of a thread has ended, with a failure or without. On any thread. */
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
     * The lane that a call of this thread goes in now, null if it has no one-way calls on their way. Waits for those that
     * something else carries, or whose connection has broken, for as long as a call of the method may take.
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
            boolean unused = before.hasAnswer(); // it is not known where that goes now
        }
        return new Lane(THREADS | thread, Lane.Kind.THREAD, false);
    }

    private boolean isOtherwise(Ordered call) {
        Sent sent = pending.get(Thread.currentThread().getId());
        return sent != null
                && sent.last() != call
                && (sent.carrier() != call.method().conduct().traffic().carrierOrAuto()
                        || !sent.last().isInPlace());
    }

    /** How many one-way calls have failed. */
    long failures() {
        return failures.get();
    }

    /** Waits until all calls have been answered, or this long. */
    void drain(Duration atMost) {
        if (acquire(MOST, atMost)) {
            room.release(MOST);
        }
    }

    /** An interrupt does not end the wait, and is not lost. */
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
