package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LOOKUP: asks for the present replicas of a service. Answered by {@link Replicas} with the same id.
 *
 * <pre>
 *   header (kind 15, id = request) | string service
 * </pre>
 *
 * @param id the request
 * @param service its name
 */
public record Lookup(long id, String service) implements Frame {

    /** Checks its components. */
    public Lookup {
        requireNonNull(service, "service");
    }

    /** Reads a frame. */
    public static Lookup read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LOOKUP);
        Lookup read = new Lookup(in.id(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.LOOKUP, 0, id), out -> out.string(service));
    }
}
