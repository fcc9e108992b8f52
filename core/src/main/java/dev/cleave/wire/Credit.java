package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CREDIT: the receiver of {@link Chunk}s takes that many bytes more.
 *
 * <pre>
 *   header (kind 6, peer, id = call) | u8 1 of a reply, 0 of a request | u32 bytes
 * </pre>
 *
 * @param peer the relayed client or server, or 0
 * @param id the call
 * @param isOfReply whether the chunks belong to the REPLY of the call, or to its REQUEST
 * @param bytes the number of further bytes
 */
public record Credit(int peer, long id, boolean isOfReply, int bytes) implements Frame {

    /** Checks its components. */
    public Credit {
        Header.checkPeer(peer);
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: not negative)");
        }
    }

    /** Reads a frame. */
    public static Credit read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CREDIT);
        Credit read = new Credit(in.peer(), in.id(), in.u8() != 0, in.u32());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.CREDIT, peer, id), out -> out.u8(isOfReply ? 1 : 0)
                        .u32(bytes));
    }
}
