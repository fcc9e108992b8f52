package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PULL: the sender gives a server calls of a service as the server begins them. So the server must report by
 * {@link Begun} which calls of this connection have begun, from now on.
 *
 * <pre>
 *   header (kind 26) | string service
 * </pre>
 *
 * <p>Sent only to peers with the feature of {@link FrameKind#PULL}, which remember at most {@link #MOST} services of a
 * connection.
 *
 * @param service its name
 */
public record Pull(String service) implements Frame {

    /** The most services of one connection. */
    public static final int MOST = 1024;

    /** Checks its component. */
    public Pull {
        requireNonNull(service, "service");
    }

    /** Reads a frame. */
    public static Pull read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.PULL);
        Pull read = new Pull(in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.PULL, 0, 0), out -> out.string(service));
    }
}
