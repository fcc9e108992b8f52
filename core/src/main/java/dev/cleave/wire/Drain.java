package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * DRAIN: asks a broker to drain a replica; the broker asks the replica's node, which takes no new calls and closes when
 * the calls in flight have ended. The broker answers with {@link Registered} when it has told the node. Sent only to
 * nodes with the feature {@link Hello#DRAINS}.
 *
 * <pre>
 *   header (kind 36, id = request, 0 from the broker) | string replica
 * </pre>
 *
 * @param id the request
 * @param replica the name of the replica, in any service
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
