package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * HELD: changes how often the sender holds an object of the receiver.
 *
 * <pre>
 *   header (kind 23, peer) | u64 high | u64 low | u32 change
 * </pre>
 *
 * @param peer sent to a broker, the node that has the object; sent by a broker, the node that holds it; or 0
 * @param high the first half of the reference
 * @param low the second half of the reference
 * @param change 1, or the negative number of times by which the holder holds it less
 */
public record Held(int peer, long high, long low, int change) implements Frame {

    /** Checks its components. */
    public Held {
        Header.checkPeer(peer);
        if (change == 0 || change > 1) {
            throw new WireException(ErrorCode.PROTOCOL, "change: " + change + " (expected: 1 or negative)");
        }
    }

    /** Reads a frame. */
    public static Held read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.HELD);
        Held read = new Held(in.peer(), in.bits64(), in.bits64(), in.bits32());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.HELD, peer, 0), out -> out.bits64(high)
                .bits64(low)
                .bits32(change));
    }
}
