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
 * The calls of one service that the broker holds because each replica has as many as it may have, in the order in which they
 * came. At most {@value #MOST} calls and {@value #MOST_BYTES} bytes. Thread-safe.
 *
 * <p>They are sent on by one thread at a time, that of the client whose call is next: the first, so that none overtakes another,
 * or the one that the policy chooses among the first {@value #CHOICE}.
 */
final class HeldCalls {

    static final int MOST = 1 << 16;
    static final long MOST_BYTES = 64 << 20;
    static final int CHOICE = 256;

    /** The bytes of the calls that are held, of all services; the limit is that of one. */
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
     * @param service as it is now
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

        /** Takes a call out of the line and sends it on or refuses it; false if there is no room for it yet. Event thread only. */
        boolean resume(HeldCalls line, Held call);
    }

    /**
     * A call that is held; owns its frame.
     *
     * @param client whose it is
     * @param id its number on the client's connection
     * @param frame its request
     * @param key what it has in common with others, or null
     * @param sinceNanos since when
     */
    record Held(
            Client client,
            long id,
            ByteBuf frame,
            @Nullable Long key,
            long sinceNanos) {}

    private record Key(Client client, long id) {}

    /** Takes a call in; false if there are too many. */
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

    /** Takes a call out, whose frame is the caller's to release; null if it is not here. */
    synchronized @Nullable Held take(Client client, long id) {
        Held call = line.remove(new Key(client, id));
        if (call != null) {
            bytes -= call.frame().readableBytes();
            HELD.add(-call.frame().readableBytes());
        }
        return call;
    }

    /** Lets the calls of a client go. */
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

    /** There may be room for the first. */
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

    /** It is still here; nobody else has sent one on meanwhile. */
    private synchronized boolean isHeld(Held call) {
        return line.get(new Key(call.client(), call.id())) == call;
    }
}
