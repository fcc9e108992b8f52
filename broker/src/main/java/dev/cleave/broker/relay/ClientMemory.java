package dev.cleave.broker.relay;

import dev.cleave.call.ConnectionMemory;
import dev.cleave.call.Remembered;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the relayed calls of one connection, kept for its client, which asks for them over its next connection if this
 * one breaks. With a reply that has objects the TYPES are kept that its server has announced. Thread-safe.
 */
final class ClientMemory {

    private final ConnectionMemory memory;

    /** Keeps nothing before the client has named the connection. */
    ClientMemory(ConnectionMemory memory) {
        this.memory = memory;
    }

    /** A call is about to be sent to a server; false if it may not be any more. */
    boolean begins(long id) {
        Remembered known = memory.known();
        return known == null || known.begins(id);
    }

    /** A call was not executed after all. */
    void notExecuted(long id) {
        Remembered known = memory.known();
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
        Remembered known = memory.known();
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
}
