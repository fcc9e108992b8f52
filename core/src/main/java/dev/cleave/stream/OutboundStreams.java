package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Connection;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.Same;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Sends the streams of one connection: of each message that has credit one chunk in turn, and no more than the
 * connection takes at a time, so that other frames wait behind few chunks.
 *
 * <p>Thread-safe; all work is done on the event thread, or in its place ({@link Connection#executeHere}).
 */
public final class OutboundStreams {

    private final Connection connection;
    private final Timer timer;
    private final long inAdvance;
    private final ChunkSize size; // event thread only
    private final Map<StreamKey, StreamSender> flows = new ConcurrentHashMap<>();
    private final Queue<StreamSender> ready = new ArrayDeque<>(); // event thread only
    private boolean pumping; // event thread only
    private long sent = -1; // bytes since the connection took no more; negative if it then was idle; event thread only
    private long fullNanos; // when that was; event thread only
    private long
            creditNanos; // when credit came last while there was something to send; 0 if none did; event thread only
    private volatile boolean closed;

    /**
     * Creates the streams of a connection.
     *
     * @param timer the clock by which the {@linkplain ChunkSize size of chunks} is chosen
     * @param inAdvance how many bytes of each stream may go unasked
     */
    public OutboundStreams(Connection connection, Timer timer, long inAdvance) {
        this.connection = requireNonNull(connection, "connection");
        this.timer = requireNonNull(timer, "timer");
        this.inAdvance = inAdvance;
        size = new ChunkSize(connection::peer);
    }

    /** Makes a stream known. To be called before its message is written, and {@link #start} after that. */
    public void register(StreamSender flow) {
        flows.put(flow.key(), flow);
        if (closed) {
            forget(flow);
        }
    }

    /** Begins to send a stream: its message has been written. The current thread sends the first chunks if it may. */
    public void start(StreamSender flow) {
        flow.follow(() -> execute(connection::execute, flow, () -> grant(flow, 0)));
        execute(connection::executeHere, flow, () -> {
            flow.startedNanos = timer.nanos();
            creditNanos = isAlone(flow) ? 0 : creditNanos; // there was no other stream to send
            grant(flow, flow.names() ? 0 : inAdvance);
        });
    }

    private boolean isAlone(StreamSender flow) {
        return flows.values().stream().allMatch(other -> other == flow || other.forwards());
    }

    private void execute(Executor way, StreamSender flow, Runnable task) {
        try {
            way.execute(task);
        } catch (RejectedExecutionException e) { // the transport has been closed
            forget(flow);
        }
    }

    /** Stops a stream without telling the receiver; returns whether there was more to send. */
    public boolean forget(StreamSender flow) {
        flows.remove(flow.key(), flow);
        return flow.stop();
    }

    /** Handles credit. Event thread only. */
    public void onCredit(Credit credit) {
        StreamSender flow =
                flows.get(new StreamKey(credit.isOfReply() ? credit.peer() : 0, credit.id(), credit.isOfReply()));
        if (flow != null) {
            measure(flow, credit.bytes());
            grant(flow, credit.bytes());
        }
    }

    /** Handles which blocks of a request its receiver has. Event thread only. */
    public void onSame(Same said) {
        StreamSender flow = flows.get(new StreamKey(0, said.id(), false));
        if (flow != null) {
            flow.has(said);
            grant(flow, 0);
        }
    }

    /** The first credit answers the message itself; each that follows says that as many bytes have come. */
    private void measure(StreamSender flow, long bytes) {
        if (flow.forwards()) {
            return; // it need not be this connection that is waited for
        }
        long now = timer.nanos();
        if (flow.startedNanos != 0) {
            size.answered(now - flow.startedNanos);
            flow.startedNanos = 0;
            creditNanos = creditNanos == 0 ? now : creditNanos;
        } else {
            if (creditNanos != 0) {
                size.moved(bytes, now - creditNanos);
            }
            creditNanos = now;
        }
    }

    /** The receiver of a reply has given it up; tells those on the way that nothing follows. Event thread only. */
    public void cancelReply(int peer, long id) {
        StreamKey key = new StreamKey(peer, id, true);
        StreamSender flow = flows.remove(key);
        boolean isUnfinished = flow != null && !flow.isOver();
        if (flow != null) {
            flow.stop();
        }
        if (isUnfinished) {
            connection.write(new Chunk(key.peer(), key.id(), key.isOfReply(), true).write(connection.allocator()));
            connection.flush();
        }
    }

    /** Stops the streams to a peer that is gone. */
    public void dropPeer(int peer) {
        flows.values().stream().filter(flow -> flow.key().peer() == peer).forEach(this::forget);
    }

    /** Sends more: the connection takes frames again. Event thread only. */
    public void onWritable() {
        pump();
    }

    /** Stops all streams: the connection is gone. */
    public void close() {
        closed = true;
        flows.values().forEach(this::forget);
    }

    /** Returns how many streams there are. */
    public int size() {
        return flows.size();
    }

    private void grant(StreamSender flow, long bytes) {
        flow.credit += bytes;
        if (!flow.isReady) {
            flow.isReady = true;
            ready.add(flow);
        }
        pump();
    }

    private void pump() {
        if (pumping) {
            return; // what is written drains, and the loop below goes on
        }
        pumping = true;
        boolean any = false;
        try {
            while (connection.isWritable() && !connection.isClosed()) {
                StreamSender flow = ready.poll();
                if (flow == null) {
                    sent = -1; // from now on it is not the connection that is waited for
                    break;
                }
                flow.isReady = false;
                any |= sendOne(flow);
            }
        } finally {
            pumping = false;
        }
        if (any) {
            connection.flush();
            if (!connection.isWritable()) {
                full();
            }
        }
    }

    /** The connection takes no more: what has gone since it last did not is what it moves in that time. */
    private void full() {
        long now = timer.nanos();
        if (sent > 0) {
            size.moved(sent, now - fullNanos);
        }
        fullNanos = now;
        sent = 0;
    }

    private boolean sendOne(StreamSender flow) {
        ByteBuf chunk = flow.take(connection.allocator(), size.bytes());
        if (chunk != null) {
            sent += sent < 0 ? 0 : chunk.readableBytes();
            connection.write(chunk);
            if (!flow.isOver()) {
                flow.isReady = true;
                ready.add(flow);
            }
        }
        if (flow.isOver()) {
            flows.remove(flow.key(), flow);
            flow.ended();
        }
        return chunk != null;
    }
}
