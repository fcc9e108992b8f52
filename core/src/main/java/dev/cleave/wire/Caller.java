package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CALLER: a broker tells a node the identity that a relayed peer has proved to it, before the first request of that peer.
 *
 * <pre>
 *   header (kind 40, peer) | string identity
 * </pre>
 *
 * @param peer the relayed peer
 * @param identity its identity
 */
public record Caller(int peer, String identity) implements Frame {

    /** Checks its components. */
    public Caller {
        Header.checkPeer(peer);
        requireNonNull(identity, "identity");
    }

    /** Reads a frame. */
    public static Caller read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CALLER);
        Caller read = new Caller(in.peer(), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.CALLER, peer, 0), out -> out.string(identity));
    }
}
