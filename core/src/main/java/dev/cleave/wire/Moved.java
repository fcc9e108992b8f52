package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * MOVED: a call that waited at the sender of this frame has not begun there and never will. The receiver, which is the
 * caller or the broker that relays the call, sends it to another replica. The sender says nothing more about the call.
 *
 * <pre>
 *   header (kind 32, peer, id = call) | string replica
 * </pre>
 *
 * <p>Only calls whose sender has kept their request can move. A REQUEST of such a call has the flag
 * {@link RequestOptions#MOVABLE}; one that has moved before has {@link RequestOptions#MOVED}.
 *
 * @param peer the relayed client, or 0
 * @param id the call
 * @param replica the replica that it goes to
 */
public record Moved(int peer, long id, String replica) implements Frame {

    /** Checks its components. */
    public Moved {
        Header.checkPeer(peer);
        requireNonNull(replica, "replica");
    }

    /** Reads a frame. */
    public static Moved read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.MOVED);
        Moved read = new Moved(in.peer(), in.id(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.MOVED, peer, id), out -> out.string(replica));
    }
}
