package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LIST: asks for the whole registry. Answered by {@link Services} with the same id.
 *
 * <pre>
 *   header (kind 18, id = request)
 * </pre>
 *
 * @param id the request
 */
public record ListServices(long id) implements Frame {

    /** Reads a frame. */
    public static ListServices read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LIST);
        ListServices read = new ListServices(in.id());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.LIST, 0, id), out -> {});
    }
}
