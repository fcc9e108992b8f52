package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PONG, the answer to {@link Ping}, with the load of the peer.
 *
 * <pre>
 *   header (kind 9, id) | load (16 bytes, see {@link Load})
 * </pre>
 *
 * @param id the id of the ping
 * @param load the load of the peer
 */
public record Pong(long id, Load load) implements Frame {

    /** Checks its components. */
    public Pong {
        requireNonNull(load, "load");
    }

    /** Reads a frame. */
    public static Pong read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.PONG);
        Pong read = new Pong(in.id(), Load.read(in));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.PONG, 0, id), out -> load.write(out));
    }
}
