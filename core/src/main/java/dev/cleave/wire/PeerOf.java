package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PEER_OF: asks a broker for the number of a node on this connection, so that the sender can call objects of that node
 * through the broker. The broker answers with the same frame and the number, or with a {@link Failure}.
 *
 * <pre>
 *   header (kind 49, peer, id = request) | string node | u64 incarnation
 * </pre>
 *
 * @param peer the number; 0 in a request
 * @param id the request
 * @param node the name of the node
 * @param incarnation its process
 */
public record PeerOf(int peer, long id, String node, long incarnation) implements Frame {

    /** Checks its components. */
    public PeerOf {
        Header.checkPeer(peer);
        requireNonNull(node, "node");
    }

    /** Reads a frame. */
    public static PeerOf read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.PEER_OF);
        PeerOf read = new PeerOf(in.peer(), in.id(), in.string(), in.bits64());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.PEER_OF, peer, id), out -> out.string(node)
                        .bits64(incarnation));
    }
}
