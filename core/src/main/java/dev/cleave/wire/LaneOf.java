package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LANE_OF: asks a broker for the number, on this connection, of the node that runs the calls of a lane, so that the sender
 * can fetch their results through the broker. The broker answers with the same frame and the number, or with a {@link
 * Failure}. Only peers that know the key of a lane find its node.
 *
 * <pre>
 *   header (kind 55, peer, id = request) | u64 high | u64 low
 * </pre>
 *
 * @param peer the number; 0 in a request, and if it is the asking node itself
 * @param id the request
 * @param high upper half of the key of the lane
 * @param low lower half of the key
 */
public record LaneOf(int peer, long id, long high, long low) implements Frame {

    /** Checks its components. */
    public LaneOf {
        Header.checkPeer(peer);
    }

    /** Reads a frame. */
    public static LaneOf read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LANE_OF);
        LaneOf read = new LaneOf(in.peer(), in.id(), in.bits64(), in.bits64());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.LANE_OF, peer, id), out -> out.bits64(high)
                        .bits64(low));
    }
}
