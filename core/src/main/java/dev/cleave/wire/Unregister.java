package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * UNREGISTER, answered by {@link Registered} with lease 0, or {@link Failure}.
 *
 * <pre>
 *   header (kind 13, id = request) | string service | string replica
 * </pre>
 *
 * @param id the request
 * @param service its name
 * @param replica its name
 */
public record Unregister(long id, String service, String replica) implements Frame {

    /** Checks its components. */
    public Unregister {
        requireNonNull(service, "service");
        requireNonNull(replica, "replica");
    }

    /** Reads a frame. */
    public static Unregister read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.UNREGISTER);
        Unregister read = new Unregister(in.id(), in.string(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.UNREGISTER, 0, id), out -> out.string(service)
                        .string(replica));
    }
}
