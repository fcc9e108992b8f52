package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * UNWATCH: the sender wants no more {@link Replicas} of a service that it {@linkplain Watch watches}. Has no answer.
 *
 * <pre>
 *   header (kind 39) | string service
 * </pre>
 *
 * @param service its name
 */
public record Unwatch(String service) implements Frame {

    /** Checks its component. */
    public Unwatch {
        requireNonNull(service, "service");
    }

    /** Reads a frame. */
    public static Unwatch read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.UNWATCH);
        Unwatch read = new Unwatch(in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.UNWATCH, 0, 0), out -> out.string(service));
    }
}
