package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The fields of one frame.
 *
 * <p>Each implementation also has {@code static read(ByteBuf)}, which takes a complete frame, header included, and
 * leaves the reader index behind the fields: at the end, or for {@link RequestHead}, {@link Reply}, {@link Failure} and
 * {@link Chunk} at the bytes that only the receiver understands. It throws {@link WireException} and nothing else for whatever the bytes
 * are. The buffer stays the caller's.
 */
public interface Frame {

    /**
     * The complete frame, header included; the caller owns it.
     *
     * @throws WireException if it would be longer than its kind may be
     */
    ByteBuf write(ByteBufAllocator allocator);
}
