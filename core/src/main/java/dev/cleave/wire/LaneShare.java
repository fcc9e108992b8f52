package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LANE_SHARE: other servers may fetch the results of a lane, until {@link LaneEnd}.
 *
 * <pre>
 *   header (kind 42, peer, id = lane) | u64 high | u64 low
 * </pre>
 *
 * <p>A lane may have several keys, one for each server that fetches.
 *
 * @param peer the relayed client, or 0
 * @param id the lane
 * @param high upper half of the key that they show
 * @param low lower half of the key
 */
public record LaneShare(int peer, long id, long high, long low) implements Frame {

    /** The most keys of one lane. */
    public static final int MOST = 64;

    /** Checks its components. */
    public LaneShare {
        Header.checkPeer(peer);
    }

    /** Reads a frame. */
    public static LaneShare read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LANE_SHARE);
        LaneShare read = new LaneShare(in.peer(), in.id(), in.bits64(), in.bits64());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.LANE_SHARE, peer, id), out -> out.bits64(high)
                        .bits64(low));
    }
}
