package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one service that the broker holds because each replica has as many as it may have, in the order in which they
 * came. At most {@value #MOST} calls and {@value #MOST_BYTES} bytes. Thread-safe.
 *
 * <p>They are sent on by one thread at a time, that of the client whose call is first, so none overtakes another.
 */
final class HeldCalls {

    static final int MOST = 1 << 16;
    static final long MOST_BYTES = 64 << 20;

    @GuardedBy("this")
    private final Map<Key, Held> line = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    private final AtomicInteger signals = new AtomicInteger();

    /**
     * A call that is held; owns its frame.
     *
     * @param session of its client
     * @param id its number on the client's connection
     * @param frame its request
     * @param sinceNanos since when
     */
    record Held(RelaySession session, long id, ByteBuf frame, long sinceNanos) {}

    private record Key(RelaySession session, long id) {}

    /** Takes a call in; false if there are too many. */
    synchronized boolean add(Held call) {
        int length = call.frame().readableBytes();
        if (line.size() >= MOST || bytes + length > MOST_BYTES) {
            return false;
        }
        if (line.putIfAbsent(new Key(call.session(), call.id()), call) != null) {
            return false; // a client that uses a number twice
        }
        bytes += length;
        return true;
    }

    synchronized boolean isEmpty() {
        return line.isEmpty();
    }

    /** Takes a call out, whose frame is the caller's to release; null if it is not here. */
    synchronized @Nullable Held take(RelaySession session, long id) {
        Held call = line.remove(new Key(session, id));
        if (call != null) {
            bytes -= call.frame().readableBytes();
        }
        return call;
    }

    /** Lets the calls of a client go. */
    synchronized void drop(RelaySession session) {
        List<Held> own =
                line.values().stream().filter(call -> call.session() == session).toList();
        for (Held call : own) {
            Held gone = take(session, call.id());
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
        Held first = first();
        if (first == null) {
            end(heard);
            return;
        }
        try {
            first.session().execute(() -> {
                if (isFirst(first) && !first.session().holding().resume(this, first)) {
                    end(heard); // no room yet
                } else {
                    sendOn(heard);
                }
            });
        } catch (RejectedExecutionException e) { // the broker is closing
            drop(first.session());
            end(heard);
        }
    }

    private void end(int heard) {
        int more = signals.addAndGet(-heard);
        if (more > 0) {
            sendOn(more);
        }
    }

    private synchronized @Nullable Held first() {
        return line.isEmpty() ? null : line.values().iterator().next();
    }

    private synchronized boolean isFirst(Held call) {
        return first() == call;
    }
}
