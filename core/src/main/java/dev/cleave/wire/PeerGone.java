package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PEER_GONE: a relayed client has gone; the receiver no longer needs its method and type tables.
 *
 * <pre>
 *   header (kind 21, peer)
 * </pre>
 *
 * @param peer the relayed client
 */
public record PeerGone(int peer) implements Frame {

    /** Checks its components. */
    public PeerGone {
        Header.checkPeer(peer);
    }

    /** Reads a frame. */
    public static PeerGone read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.PEER_GONE);
        PeerGone read = new PeerGone(in.peer());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.PEER_GONE, peer, 0), out -> {});
    }
}
