package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * DRAIN: asks a broker to let a replica leave as planned, and the node that has it to do so: it takes no new calls, and closes when
 * those under way have ended. The broker answers with {@link Registered} when it has told the node; only to nodes with {@linkplain
 * FrameKind#feature its feature}.
 *
 * <pre>
 *   header (kind 36, id = request, 0 from the broker) | string replica
 * </pre>
 *
 * @param id the request
 * @param replica its name, in whatever services
 */
public record Drain(long id, String replica) implements Frame {

    /** Checks its component. */
    public Drain {
        requireNonNull(replica, "replica");
    }

    /** Reads a frame. */
    public static Drain read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.DRAIN);
        Drain read = new Drain(in.id(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.DRAIN, 0, id), out -> out.string(replica));
    }
}
