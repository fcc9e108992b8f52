package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * REGISTERED, the answer to {@link RegisterReplica} and {@link Unregister}.
 *
 * <pre>
 *   header (kind 22, id = request) | u32 lease
 * </pre>
 *
 * @param id the request
 * @param leaseMillis how long the registration lasts without {@link Lease}, in ms; 0 after an unregister
 */
public record Registered(long id, int leaseMillis) implements Frame {

    /** Reads a frame. */
    public static Registered read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.REGISTERED);
        Registered read = new Registered(in.id(), in.u32());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.REGISTERED, 0, id), out -> out.u32(leaseMillis));
    }
}
