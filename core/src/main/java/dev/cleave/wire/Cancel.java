package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CANCEL: the caller no longer wants the result of a call.
 *
 * <pre>
 *   header (kind 7, peer, id = call)
 * </pre>
 *
 * @param peer the relayed client, or 0
 * @param id the call
 */
public record Cancel(int peer, long id) implements Frame {

    /** Checks its components. */
    public Cancel {
        Header.checkPeer(peer);
    }

    /** Reads a frame. */
    public static Cancel read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CANCEL);
        Cancel read = new Cancel(in.peer(), in.id());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.CANCEL, peer, id), out -> {});
    }
}
