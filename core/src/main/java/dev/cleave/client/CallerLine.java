package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Meter;
import dev.cleave.replica.Placement;
import dev.cleave.wire.Replicas;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this node to one service that wait here because each replica has as many as it may have: first those of
 * greater priority, as at the broker and at servers. So the threads that make calls go on, and a call that is made last may
 * be sent first. At most {@value #MOST} calls and {@value #MOST_BYTES} bytes; threads wait that make more. Thread-safe.
 *
 * <p>One task at a time sends calls on, when there may be room. It may wait for a connection, which event threads may not.
 */
final class CallerLine implements WaitingCall.Line {

    static final int MOST = 1 << 12;
    static final long MOST_BYTES = 64L << 20;

    private static final System.Logger LOG = SafeLog.of(CallerLine.class);
    private static final int CHOICE = 256; // the calls among which the policy chooses

    /** The bytes of the waiting calls of all services; the limit is that of one service. */
    private static final Meter HELD = Meter.of("client.held.bytes", () -> MOST_BYTES);

    @GuardedBy("this")
    private final AgeingQueue<WaitingCall<?>> queue = new AgeingQueue<>();

    @GuardedBy("this")
    private long bytes;

    private final AtomicInteger signals = new AtomicInteger();
    private final Spread spread;
    private final Supplier<List<Replicas.Replica>> direct;
    private final Executor tasks;
    private volatile int size; // written under this

    /**
     * Creates an empty line.
     *
     * @param spread places the calls
     * @param direct returns the replicas that this node chooses among; none if the broker chooses
     * @param tasks runs what sends calls on, and rejects it once the node closes
     */
    CallerLine(Spread spread, Supplier<List<Replicas.Replica>> direct, Executor tasks) {
        this.spread = requireNonNull(spread, "spread");
        this.direct = requireNonNull(direct, "direct");
        this.tasks = requireNonNull(tasks, "tasks");
    }

    /** Whether no call waits, so that a new one overtakes none. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Lets a call wait, or sends it soon if there is room; false if too many wait. The call is taken over if it waits. */
    boolean add(WaitingCall<?> call) {
        int length = call.bytes();
        synchronized (this) {
            if (queue.size() >= MOST || bytes + length > MOST_BYTES) {
                HELD.refused();
                return false;
            }
            queue.add(call);
            bytes += length;
            size = queue.size();
            HELD.add(length);
        }
        signal(); // there may be room now
        return true;
    }

    @Override
    public synchronized boolean take(WaitingCall<?> call) {
        if (!queue.takeChosen(call)) {
            return false;
        }
        int length = call.bytes();
        bytes -= length;
        size = queue.size();
        HELD.add(-length);
        return true;
    }

    @Override
    public synchronized void promote(WaitingCall<?> call) {
        queue.promote(call);
    }

    /** Sends calls on if there may be room. May be called on an event thread. */
    void signal() {
        if (size > 0 && signals.getAndIncrement() == 0) {
            try {
                tasks.execute(this::sendOn);
            } catch (RejectedExecutionException e) {
                signals.set(0);
                failAll();
            }
        }
    }

    private record Next(WaitingCall<?> call, @Nullable Placement placed) {}

    private void sendOn() {
        int heard = signals.get();
        while (heard > 0) {
            try {
                for (Next next = next(); next != null; next = next()) {
                    next.call().send(next.placed());
                }
            } catch (Throwable e) { // an Error, too: the next signal is to find a line that goes on
                LOG.log(System.Logger.Level.ERROR, "waiting calls go on when the next one has ended", e);
            }
            heard = signals.addAndGet(-heard);
        }
    }

    /** Takes out the call that is next, with its placement; null if no replica may take one more. */
    private synchronized @Nullable Next next() {
        List<WaitingCall<?>> first = queue.next(spread.chooses() ? CHOICE : 1);
        List<Replicas.Replica> candidates = direct.get();
        if (first.isEmpty()) {
            return null;
        }
        WaitingCall<?> chosen = first.get(0);
        Placement placed = null;
        if (!candidates.isEmpty()) {
            int place = spread.chooses()
                    ? spread.choose(
                            candidates, first.stream().map(WaitingCall::key).iterator())
                    : 0;
            chosen = place < 0 ? chosen : first.get(place);
            placed = place < 0 ? null : spread.place(candidates, chosen.key());
            if (placed == null) {
                return null;
            }
        }
        boolean unused = take(chosen);
        return new Next(chosen, placed);
    }

    private void failAll() {
        while (true) {
            List<WaitingCall<?>> first;
            synchronized (this) {
                first = queue.next(1);
            }
            if (first.isEmpty()) {
                return;
            }
            first.get(0).nodeCloses();
        }
    }
}
