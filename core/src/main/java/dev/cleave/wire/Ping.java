package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PING, answered by {@link Pong} with the same id.
 *
 * <pre>
 *   header (kind 8, id)
 * </pre>
 *
 * @param id counts the pings
 */
public record Ping(long id) implements Frame {

    /** Reads a frame. */
    public static Ping read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.PING);
        Ping read = new Ping(in.id());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.PING, 0, id), out -> {});
    }
}
