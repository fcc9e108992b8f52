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
 * <p>Only calls whose sender has kept what it needs to send them again can move. A REQUEST without {@link Lane} says so by bit 1 of its
 * flags, and by bit 2 that it has moved before.
 *
 * @param peer the relayed client, or 0
 * @param id the call
 * @param replica where it is to go
 */
public record Moved(int peer, long id, String replica) implements Frame {

    private static final int LANE = 1;
    private static final int MOVABLE = 2;
    private static final int HAS_MOVED = 4;

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

    /** Says on a REQUEST whether it may move; one in a lane never may. */
    public static void allow(ByteBuf request, boolean isMovable) {
        int flags = Header.flags(request);
        if ((flags & LANE) != 0) {
            return;
        }
        Header.flags(request, isMovable ? flags | MOVABLE : flags & ~MOVABLE);
    }

    /** Says on a REQUEST without lane that it has moved. */
    public static void mark(ByteBuf request) {
        Header.flags(request, Header.flags(request) | HAS_MOVED);
    }

    /** Whether a REQUEST, its reader index at the header, may move. */
    public static boolean isAllowed(ByteBuf request) {
        return (Header.flags(request) & (LANE | MOVABLE)) == MOVABLE;
    }

    /** Whether a REQUEST, its reader index at the header, has moved. */
    public static boolean isMarked(ByteBuf request) {
        return (Header.flags(request) & (LANE | HAS_MOVED)) == HAS_MOVED;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.MOVED, peer, id), out -> out.string(replica));
    }
}
