package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Memories;
import dev.cleave.call.Remembered;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Peer;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Settled;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * What a broker remembers of the relayed calls of one connection, whose client asks over the next one if it breaks while both live.
 * It is as much as {@link Memories} say, and of a reply with objects the TYPES that its server has announced to the client, before it.
 * Thread-safe, but for {@link #onSettled}.
 */
final class ClientMemory {

    private final Memories memories;
    private final Peer peer;
    private final Connection connection;
    private ConnectionName name = ConnectionName.NONE; // event thread only
    private volatile @Nullable Remembered memory;

    /** Creates one that remembers nothing before the client has named the connection. */
    ClientMemory(Memories memories, Peer peer, Connection connection) {
        this.memories = requireNonNull(memories, "memories");
        this.peer = requireNonNull(peer, "peer");
        this.connection = requireNonNull(connection, "connection");
    }

    /** The client names the connection, or has outcomes. Event thread only. */
    void onSettled(Settled said) {
        Remembered known = memory;
        if (known == null) {
            name = said.connection();
            known = memories.opened(peer, connection::close, name);
            memory = known;
        }
        known.settled(said.mark());
    }

    /** The client asks for a call of a connection that it has had before. */
    void onRecall(Recall said, PeerNumbers numbers) {
        memories.recall(peer, said, new RecalledCall(connection, numbers, said.id()));
    }

    /** A call is about to be sent to a server; false if it may not be any more. */
    boolean begins(long id) {
        Remembered known = memory;
        return known == null || known.begins(id);
    }

    /** A call was not executed after all. */
    void notExecuted(long id) {
        Remembered known = memory;
        if (known != null) {
            known.notExecuted(id);
        }
    }

    /**
     * A call has ended.
     *
     * @param frame the last that came for it; stays the caller's
     * @param pair its client and server; null if the broker answers
     */
    void ended(long id, ByteBuf frame, @Nullable Pair pair) {
        Remembered known = memory;
        if (known == null) {
            return;
        }
        FrameKind kind = Header.kind(frame);
        boolean isFailure = kind == FrameKind.FAILURE;
        if (isFailure && Failure.read(frame.duplicate()).execution() == Execution.NOT) {
            known.notExecuted(id);
            return;
        }
        int types = pair == null ? 0 : pair.typeFrames();
        boolean isWhole = isFailure || kind == FrameKind.REPLY && !Blocks.follow(frame);
        if (!isWhole || types == Pair.TOO_MANY) {
            known.ended(id, null, 0);
        } else if (types == 0 || pair == null) {
            known.ended(id, frame, 0);
        } else {
            known.ended(id, Unpooled.wrappedBuffer(pair.types(), frame.duplicate()), types);
        }
    }

    /** The connection is gone. Event thread only. */
    void closed() {
        Remembered known = memory;
        if (known != null) {
            memories.closed(peer, name, known);
        }
    }
}
