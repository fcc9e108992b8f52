package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LANE_END: the caller sends no more calls in a lane; calls that were sent stay in it.
 *
 * <pre>
 *   header (kind 24, peer, id = lane)
 * </pre>
 *
 * @param peer the relayed client, or 0
 * @param id the lane
 */
public record LaneEnd(int peer, long id) implements Frame {

    /** Checks its components. */
    public LaneEnd {
        Header.checkPeer(peer);
    }

    /** Reads a frame. */
    public static LaneEnd read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LANE_END);
        LaneEnd read = new LaneEnd(in.peer(), in.id());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.LANE_END, peer, id), out -> {});
    }
}
