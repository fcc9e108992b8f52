package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * MOVED: a call that waited here has not begun, never will, and is to be sent to another replica by whoever has sent it here:
 * the caller, or the broker that relays it. The last that is said about the call here.
 *
 * <pre>
 *   header (kind 32, peer, id = call) | string replica
 * </pre>
 *
 * <p>Only calls whose sender has kept what it needs to send them again can move. A REQUEST says so by
 * {@link RequestOptions#MOVABLE}, and by {@link RequestOptions#MOVED} that it has moved before.
 *
 * @param peer the relayed client, or 0
 * @param id the call
 * @param replica where it is to go
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
