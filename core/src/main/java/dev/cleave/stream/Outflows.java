package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/**
 * What goes out over one connection chunk by chunk: of each message that has credit one chunk in turn, and no more than the
 * connection takes, so that other frames never wait behind more than that.
 *
 * <p>Thread-safe; all work is done on the event thread.
 */
public final class Outflows {

    private final Connection connection;
    private final long inAdvance;
    private final Map<StreamKey, Outflow> flows = new ConcurrentHashMap<>();
    private final Queue<Outflow> ready = new ArrayDeque<>(); // event thread only
    private boolean pumping; // event thread only
    private volatile boolean closed;

    /** Creates the streams of a connection; {@code inAdvance} bytes of each may go unasked. */
    public Outflows(Connection connection, long inAdvance) {
        this.connection = requireNonNull(connection, "connection");
        this.inAdvance = inAdvance;
    }

    /** Makes a stream known. To be called before its message is written, and {@link #start} after that. */
    public void register(Outflow flow) {
        flows.put(flow.key(), flow);
        if (closed) {
            forget(flow);
        }
    }

    /** The message has been written. */
    public void start(Outflow flow) {
        flow.follow(() -> execute(flow, 0));
        execute(flow, inAdvance);
    }

    private void execute(Outflow flow, long granted) {
        try {
            connection.execute(() -> grant(flow, granted));
        } catch (RejectedExecutionException e) { // the transport has been closed
            forget(flow);
        }
    }

    /** Sends no more of a stream. The receiver is not told. Says whether there was more. */
    public boolean forget(Outflow flow) {
        flows.remove(flow.key(), flow);
        return flow.stop();
    }

    /** The receiver takes more. Event thread only. */
    public void onCredit(Credit credit) {
        Outflow flow =
                flows.get(new StreamKey(credit.isOfReply() ? credit.peer() : 0, credit.id(), credit.isOfReply()));
        if (flow != null) {
            grant(flow, credit.bytes());
        }
    }

    /** The receiver of a reply has given it up; tells those on the way that nothing follows. Event thread only. */
    public void cancelReply(int peer, long id) {
        StreamKey key = new StreamKey(peer, id, true);
        Outflow flow = flows.remove(key);
        boolean isUnfinished = flow != null && !flow.isOver();
        if (flow != null) {
            flow.stop();
        }
        if (isUnfinished) {
            connection.write(new Chunk(key.peer(), key.id(), key.isOfReply(), true).write(connection.allocator()));
            connection.flush();
        }
    }

    /** A peer is gone. */
    public void dropPeer(int peer) {
        flows.values().stream().filter(flow -> flow.key().peer() == peer).forEach(this::forget);
    }

    /** The connection takes more. Event thread only. */
    public void onWritable() {
        pump();
    }

    /** The connection is gone. */
    public void close() {
        closed = true;
        flows.values().forEach(this::forget);
    }

    /** How many streams there are. */
    public int size() {
        return flows.size();
    }

    private void grant(Outflow flow, long bytes) {
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
                Outflow flow = ready.poll();
                if (flow == null) {
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
        }
    }

    private boolean sendOne(Outflow flow) {
        ByteBuf chunk = flow.take(connection.allocator());
        if (chunk != null) {
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
