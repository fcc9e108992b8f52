package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.MemoryBounds;
import dev.cleave.stream.ReceiveBudget.Room;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Same;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Receives the streams of one connection. Of each message at most {@value #WINDOW} bytes are on their way at a time:
 * the receiver grants credit for more as they arrive. Chunks of a message that is not open are dropped.
 *
 * <p>Thread-safe, except the methods that say "event thread only".
 */
public final class InboundStreams implements StreamReceiver.Owner {

    /** The most bytes of a message between its sender and its receiver. */
    public static final int WINDOW = 2 << 20;

    private static final int MOST_NAMED = 1024; // requests

    private final ReceiveBudget budget;
    private final Way way;
    private final long inAdvance;
    private final Map<Integer, Long> reserved = new ConcurrentHashMap<>(); // by peer
    private final Map<StreamKey, StreamReceiver> flows = new ConcurrentHashMap<>();
    private final KeptBlocks kept;
    private final Map<Long, Same> named =
            new LinkedHashMap<>(); // blocks of requests to come, by call; event thread only

    /** The connection. */
    public interface Way {

        /** Sends a frame soon; called on the event thread. */
        void answer(Frame frame);

        /** Runs a task on the event thread; throws {@link RejectedExecutionException} at the end of the transport. */
        void execute(Runnable task);

        /** Ends the connection, which brings values for which there is no memory. On any thread. */
        void giveUp(String why);
    }

    /**
     * Creates the streams of a connection.
     *
     * @param budget bounds their bytes, with those of other connections
     * @param inAdvance the bytes of each message that come without credit
     */
    public InboundStreams(ReceiveBudget budget, Way way, long inAdvance) {
        this.budget = requireNonNull(budget, "budget");
        this.way = requireNonNull(way, "way");
        this.inAdvance = inAdvance;
        kept = new KeptBlocks(budget);
    }

    /** Handles that the sender of a request, which comes soon, names its blocks. Event thread only. */
    public void onSame(Same said) {
        if (named.size() == MOST_NAMED) {
            named.remove(named.keySet().iterator().next()); // its request was refused
        }
        named.put(said.id(), said);
    }

    /** Opens a message as {@link #open(StreamKey, List, Room)}, with room of the bound of arriving values. */
    public StreamReceiver open(StreamKey key, List<Blocks> announced) {
        return open(key, announced, Room.ARRIVING);
    }

    /**
     * Begins to receive the blocks of a message. Event thread only.
     *
     * @throws WireException with {@link ErrorCode#OVERLOAD} if there is no room for them now, {@link
     *     ErrorCode#TOO_LARGE} if there never is, {@link ErrorCode#PROTOCOL} if they are no arrays; chunks of them are
     *     dropped
     */
    public StreamReceiver open(StreamKey key, List<Blocks> announced, Room room) {
        StreamReceiver flow = new StreamReceiver(this, key, announced);
        reserve(flow, room);
        StreamReceiver before = flows.putIfAbsent(key, flow);
        if (before != null) {
            budget.closed(flow);
            release(flow);
            throw new WireException(ErrorCode.PROTOCOL, "call id: " + key.id() + " (expected: one not in flight)");
        }
        Same said = key.isOfReply() || key.peer() != 0 ? null : named.remove(key.id());
        if (said != null) {
            Same here = flow.named(kept, said);
            if (!here.blocks().isEmpty()) {
                way.answer(here);
            }
        }
        grant(flow, flow.begin(said != null ? 0 : inAdvance, room == Room.LATER ? 0 : WINDOW));
        return flow;
    }

    /**
     * Lets a message come that was opened for {@link Room#LATER}; nothing if it comes already. Event thread only.
     *
     * @throws WireException as {@link #open}
     */
    public void start(StreamReceiver flow) {
        if (!flow.lacksRoom() || flows.get(flow.key()) != flow) {
            return;
        }
        flow.expected();
        reserve(flow, Room.ARRIVING);
        goOn(flow, flow.made());
    }

    /**
     * Handles a CHUNK. Event thread only.
     *
     * @return the message if this says that its sender has given it up, else null
     */
    public @Nullable StreamKey onChunk(ByteBuf frame) {
        Chunk chunk = Chunk.read(frame);
        StreamReceiver flow = flows.get(new StreamKey(chunk.peer(), chunk.id(), chunk.isOfReply()));
        if (flow == null) {
            return null; // the message was given up at this end
        }
        if (!flow.isNext(chunk.place())) {
            return null; // the chunk has come before
        }
        if (chunk.isLast() && !frame.isReadable()) {
            flow.close(ErrorCode.CANCELLED, "its sender has given it up");
            return flow.key();
        }
        goOn(flow, flow.take(frame));
        return null;
    }

    /** Goes on with a stream: its next array is made elsewhere, or more of it may come, or it has ended. */
    private void goOn(StreamReceiver flow, @Nullable Block missing) {
        if (missing != null) {
            budget.maker().make(missing, problem -> made(flow, missing, problem));
        }
        if (flow.hasAll()) {
            if (flows.remove(flow.key(), flow)) {
                flow.end();
            }
        } else {
            grant(flow, flow.grant(WINDOW));
        }
    }

    /** On the thread that makes arrays. */
    private void made(StreamReceiver flow, Block block, @Nullable OutOfMemoryError problem) {
        if (problem != null) {
            way.giveUp("no memory for a value of " + block.bytes() + " bytes: " + problem.getMessage());
            return;
        }
        onEventThread(flow, () -> goOn(flow, flow.made()));
    }

    /** Returns how many messages have not arrived yet. */
    public int size() {
        return flows.size();
    }

    /** Closes all messages: the connection is gone. */
    public void close() {
        flows.values().forEach(flow -> flow.close(ErrorCode.CONNECTION_LOST, "connection lost"));
        kept.close();
    }

    /** Closes a message that its sender has given up. */
    public void cancel(StreamKey key) {
        StreamReceiver flow = flows.get(key);
        if (flow != null) {
            flow.fail(ErrorCode.CANCELLED, "cancelled by the caller");
        }
    }

    /** Closes the messages of a peer that is gone. */
    public void peerGone(int peer) {
        for (StreamReceiver flow : flows.values()) {
            if (flow.key().peer() == peer) {
                flow.fail(ErrorCode.CONNECTION_LOST, "the peer that is relayed is gone");
            }
        }
    }

    @Override
    public void closed(StreamReceiver flow) {
        flows.remove(flow.key(), flow);
        budget.closed(flow);
        release(flow);
    }

    @Override
    public long now() {
        return budget.now();
    }

    @Override
    public void dropped(Runnable task) {
        MemoryBounds.ARRIVING.refused();
        try {
            way.execute(task);
        } catch (RejectedExecutionException e) { // the transport has been closed, and its calls have ended
            return;
        }
    }

    private void reserve(StreamReceiver flow, Room room) {
        long bytes = flow.total();
        int peer = flow.key().peer();
        boolean isThere =
                switch (room) {
                    case ARRIVING ->
                        isReserved(peer, bytes)
                                || bytes <= budget.bound() && budget.dropStalled(() -> isReserved(peer, bytes));
                    case AHEAD -> budget.ahead().reserve(bytes);
                    case MADE, LATER -> true;
                };
        if (!isThere) {
            throw refusal(bytes, room);
        }
        if (room == Room.ARRIVING) {
            reserved.merge(peer, bytes, Long::sum);
            budget.opened(flow);
        }
        if (!flow.room(room)) {
            closed(flow);
        }
    }

    private boolean isReserved(int peer, long bytes) {
        return budget.reserve(bytes, reserved.getOrDefault(peer, 0L));
    }

    private WireException refusal(long bytes, Room room) {
        if (room == Room.AHEAD) {
            MemoryBounds.AHEAD.refused();
            return new WireException(
                    ErrorCode.OVERLOAD,
                    "values of " + bytes + " bytes of a call sent ahead (expected: at most "
                            + budget.ahead().bound() + " bytes of such calls at a time)");
        }
        MemoryBounds.ARRIVING.refused();
        return new WireException(
                bytes > budget.bound() ? ErrorCode.TOO_LARGE : ErrorCode.OVERLOAD,
                "values of " + bytes + " bytes (expected: at most " + budget.bound()
                        + " bytes on their way to the receiver at a time, " + budget.reserved()
                        + " are; -D" + ReceiveBudget.BOUND_PROPERTY + " there sets it)");
    }

    private void release(StreamReceiver flow) {
        long bytes = flow.total();
        Room room = flow.takeRoom();
        if (room == Room.ARRIVING) {
            reserved.computeIfPresent(flow.key().peer(), (p, own) -> own > bytes ? own - bytes : null);
            budget.release(bytes);
        } else if (room == Room.AHEAD) {
            budget.ahead().release(bytes);
        }
    }

    private void grant(StreamReceiver flow, long bytes) {
        long credit = flow.hasNamed() ? flow.credit() : bytes;
        if (credit > 0) {
            StreamKey key = flow.key();
            way.answer(new Credit(key.peer(), key.id(), key.isOfReply(), (int) credit));
        }
        if (flow.hasNamed() && !flow.isGivenPart) {
            ByteBuf part = flow.part();
            if (part != null) {
                flow.isGivenPart = true;
                onEventThread(flow, () -> {
                    flow.isGivenPart = false;
                    goOn(flow, flow.take(part));
                });
            }
        }
    }

    /** Does something soon if the message is open then. */
    private void onEventThread(StreamReceiver flow, Runnable task) {
        try {
            way.execute(() -> {
                if (flows.get(flow.key()) == flow) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) { // the transport has been closed, and this with it
            flow.close();
        }
    }
}
