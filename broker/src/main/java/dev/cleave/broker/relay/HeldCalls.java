package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.metrics.Meter;
import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one service that wait at the broker because each replica has as many as it may have, or because its replicas
 * are on their way to a broker of the cluster; in the order of an
 * {@link AgeingQueue}. At most {@value #MOST} calls and {@value #MOST_BYTES} bytes. Thread-safe.
 *
 * <p>One thread at a time sends them on, that of the client whose call is next. The first call is next, or the one that the
 * policy chooses among the first {@value #CHOICE} of equal priority.
 */
final class HeldCalls {

    static final int MOST = 1 << 16;
    static final long MOST_BYTES = 64 << 20;
    static final int CHOICE = 256;

    /** The bytes of the held calls of all services; the limit is that of one service. */
    private static final Meter HELD = Meter.of("broker.held.bytes", () -> MOST_BYTES);

    @GuardedBy("this")
    private final Map<Key, Held> calls = new HashMap<>();

    @GuardedBy("this")
    private final AgeingQueue<Held> line = new AgeingQueue<>();

    @GuardedBy("this")
    private long bytes;

    private final AtomicInteger signals = new AtomicInteger();
    private final Supplier<@Nullable ServiceView> service;
    private final BooleanSupplier hasFarRoom;

    /**
     * Creates an empty line.
     *
     * @param service returns the current replicas of the service
     * @param hasFarRoom whether a replica at another broker of the cluster may take a call
     */
    HeldCalls(Supplier<@Nullable ServiceView> service, BooleanSupplier hasFarRoom) {
        this.service = service;
        this.hasFarRoom = hasFarRoom;
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

    /** A call that is held; owns its frame. */
    static final class Held extends AgeingQueue.Entry {

        private final Client client;
        private final long id;
        private final ByteBuf frame;
        private final @Nullable Object key;
        private final long sinceNanos;

        /**
         * Creates a call that is to be held.
         *
         * @param client the client that made it
         * @param request the head of its request
         * @param frame its request
         * @param key what the policy knows of it, or null
         * @param sinceNanos the time
         */
        Held(Client client, RequestHead request, ByteBuf frame, @Nullable Object key, long sinceNanos) {
            this.client = client;
            id = request.id();
            this.frame = frame;
            this.key = key;
            this.sinceNanos = sinceNanos;
            Rating rating = request.options().rating();
            if (rating != null) {
                priority(rating.value());
                prefersBlocked(rating.prefersBlocked());
            }
            if (request.options().isAwaited()) {
                awaited();
            }
        }

        /** Orders the call by its time alone, whether or not its caller is blocked on it. */
        void byTime() {
            prefersBlocked(false);
        }

        Client client() {
            return client;
        }

        long id() {
            return id;
        }

        ByteBuf frame() {
            return frame;
        }

        @Nullable
        Object key() {
            return key;
        }

        long sinceNanos() {
            return sinceNanos;
        }
    }

    private record Key(Client client, long id) {}

    /** Adds a call; returns false if there are too many. */
    synchronized boolean add(Held call) {
        int length = call.frame().readableBytes();
        if (calls.size() >= MOST || bytes + length > MOST_BYTES) {
            HELD.refused();
            return false;
        }
        if (calls.putIfAbsent(new Key(call.client(), call.id()), call) != null) {
            return false; // a client that uses a number twice
        }
        line.add(call);
        bytes += length;
        HELD.add(length);
        return true;
    }

    synchronized boolean isEmpty() {
        return line.isEmpty();
    }

    /** Takes out a call, whose frame the caller releases; null if it is not held. */
    synchronized @Nullable Held take(Client client, long id) {
        Held call = calls.remove(new Key(client, id));
        if (call != null) {
            boolean unused = line.takeChosen(call);
            bytes -= call.frame().readableBytes();
            HELD.add(-call.frame().readableBytes());
        }
        return call;
    }

    /** Notes that the client is blocked on a call, if it is held. */
    synchronized void promote(Client client, long id) {
        Held call = calls.get(new Key(client, id));
        if (call != null) {
            line.promote(call);
        }
    }

    /** Drops the calls of a client. */
    synchronized void drop(Client client) {
        List<Held> own =
                calls.values().stream().filter(call -> call.client() == client).toList();
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
        boolean chooses = view != null && view.chooses();
        List<Held> first = line.next(chooses ? CHOICE : 1);
        if (first.isEmpty() || view == null || !chooses) {
            return first.isEmpty() ? null : first.get(0);
        }
        int place = view.choose(first.stream().map(Held::key).iterator());
        if (place < 0) {
            return hasFarRoom.getAsBoolean() ? first.get(0) : null;
        }
        return first.get(place);
    }

    /** Whether the call is still held: no other thread has sent it on meanwhile. */
    private synchronized boolean isHeld(Held call) {
        return calls.get(new Key(call.client(), call.id())) == call;
    }
}
