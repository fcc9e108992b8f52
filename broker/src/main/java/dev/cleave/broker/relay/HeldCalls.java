package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.metrics.Meter;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one service that wait at the broker because each replica has as many as it may have, in the order in
 * which they came. At most {@value #MOST} calls and {@value #MOST_BYTES} bytes. Thread-safe.
 *
 * <p>One thread at a time sends them on, that of the client whose call is next. The first call is next, so that none
 * overtakes another, or the one that the policy chooses among the first {@value #CHOICE}.
 */
final class HeldCalls {

    static final int MOST = 1 << 16;
    static final long MOST_BYTES = 64 << 20;
    static final int CHOICE = 256;

    /** The bytes of the held calls of all services; the limit is that of one service. */
    private static final Meter HELD = Meter.of("broker.held.bytes", () -> MOST_BYTES);

    @GuardedBy("this")
    private final Map<Key, Held> line = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    private final AtomicInteger signals = new AtomicInteger();
    private final Supplier<@Nullable ServiceView> service;

    /**
     * Creates an empty line.
     *
     * @param service returns the current replicas of the service
     */
    HeldCalls(Supplier<@Nullable ServiceView> service) {
        this.service = service;
    }

    /** A client whose calls are held. */
    interface Client {

        /**
         * Runs a task on the event thread of the client's connection.
         *
         * @throws RejectedExecutionException if the broker is closing
         */
        void execute(Runnable task);

        /**
         * Takes a call out of the line and sends it on or refuses it; false if there is no room for it yet. Event
         * thread only.
         */
        boolean resume(HeldCalls line, Held call);
    }

    /**
     * A call that is held; owns its frame.
     *
     * @param client the client that made it
     * @param id its number on the client's connection
     * @param frame its request
     * @param key equal for calls that go to one replica, or null
     * @param sinceNanos when it was held
     */
    record Held(
            Client client, long id, ByteBuf frame, @Nullable Long key, long sinceNanos) {}

    private record Key(Client client, long id) {}

    /** Adds a call; returns false if there are too many. */
    synchronized boolean add(Held call) {
        int length = call.frame().readableBytes();
        if (line.size() >= MOST || bytes + length > MOST_BYTES) {
            HELD.refused();
            return false;
        }
        if (line.putIfAbsent(new Key(call.client(), call.id()), call) != null) {
            return false; // a client that uses a number twice
        }
        bytes += length;
        HELD.add(length);
        return true;
    }

    synchronized boolean isEmpty() {
        return line.isEmpty();
    }

    /** Takes out a call, whose frame the caller releases; null if it is not held. */
    synchronized @Nullable Held take(Client client, long id) {
        Held call = line.remove(new Key(client, id));
        if (call != null) {
            bytes -= call.frame().readableBytes();
            HELD.add(-call.frame().readableBytes());
        }
        return call;
    }

    /** Drops the calls of a client. */
    synchronized void drop(Client client) {
        List<Held> own =
                line.values().stream().filter(call -> call.client() == client).toList();
        for (Held call : own) {
            Held gone = take(client, call.id());
            if (gone != null) {
                gone.frame().release();
            }
        }
    }

    /** Sends the first call on if there may be room. */
    void signal() {
        if (signals.getAndIncrement() == 0) {
            sendOn(signals.get());
        }
    }

    private void sendOn(int heard) {
        Held next = next();
        if (next == null) {
            end(heard);
            return;
        }
        try {
            next.client().execute(() -> {
                if (isHeld(next) && !next.client().resume(this, next)) {
                    end(heard); // no room yet
                } else {
                    sendOn(heard);
                }
            });
        } catch (RejectedExecutionException e) { // the broker is closing
            drop(next.client());
            end(heard);
        }
    }

    private void end(int heard) {
        int more = signals.addAndGet(-heard);
        if (more > 0) {
            sendOn(more);
        }
    }

    private synchronized @Nullable Held next() {
        ServiceView view = service.get();
        if (line.isEmpty() || view == null || !view.chooses()) {
            return line.values().stream().findFirst().orElse(null);
        }
        int place =
                view.choose(line.values().stream().limit(CHOICE).map(Held::key).iterator());
        return place < 0 ? null : line.values().stream().skip(place).findFirst().orElse(null);
    }

    /** Whether the call is still held: no other thread has sent it on meanwhile. */
    private synchronized boolean isHeld(Held call) {
        return line.get(new Key(call.client(), call.id())) == call;
    }
}
