package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CALLER_GONE: the connection between a relayed client and the broker has broken. A call that has not begun is not to be
 * executed. One that runs goes on undisturbed: its client may ask for its outcome over another connection.
 *
 * <pre>
 *   header (kind 60, peer, id = call)
 * </pre>
 *
 * @param peer the relayed client
 * @param id the call
 */
public record CallerGone(int peer, long id) implements Frame {

    /** Checks its components. */
    public CallerGone {
        Header.checkPeer(peer);
    }

    /** Reads a frame. */
    public static CallerGone read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CALLER_GONE);
        CallerGone read = new CallerGone(in.peer(), in.id());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.CALLER_GONE, peer, id), out -> {});
    }
}
