package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LEASE: renews every registration made on this connection. Answered by LEASE with the same id and the granted time.
 *
 * <pre>
 *   header (kind 14, id = request) | u32 lease
 * </pre>
 *
 * @param id the request
 * @param leaseMillis the requested or granted time of the registrations, in ms
 */
public record Lease(long id, int leaseMillis) implements Frame {

    /** Reads a frame. */
    public static Lease read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LEASE);
        Lease read = new Lease(in.id(), in.u32());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.LEASE, 0, id), out -> out.u32(leaseMillis));
    }
}
