package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * WATCH: asks for the replicas of a service as {@link Lookup} does, and for {@link Replicas} with id 0 at every change
 * until the connection ends.
 *
 * <pre>
 *   header (kind 16, id = request) | string service
 * </pre>
 *
 * @param id the request
 * @param service its name
 */
public record Watch(long id, String service) implements Frame {

    /** Checks its components. */
    public Watch {
        requireNonNull(service, "service");
    }

    /** Reads a frame. */
    public static Watch read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.WATCH);
        Watch read = new Watch(in.id(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.WATCH, 0, id), out -> out.string(service));
    }
}
