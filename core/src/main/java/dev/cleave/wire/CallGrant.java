package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CALL_GRANT, the answer to {@link CallClaim}: the number of calls that the server has given away. It never gives away
 * calls that have begun.
 *
 * <pre>
 *   header (kind 31, id = epoch) | string service | string receiver | u32 calls | u32 waiting | u32 running
 * </pre>
 *
 * @param epoch the epoch of the claim
 * @param service the service of the calls
 * @param receiver the replica that the calls go to
 * @param calls the number of calls
 * @param waiting calls that still wait here
 * @param running calls that run here
 */
public record CallGrant(long epoch, String service, String receiver, int calls, int waiting, int running)
        implements Frame {

    /** Checks its components. */
    public CallGrant {
        requireNonNull(service, "service");
        requireNonNull(receiver, "receiver");
    }

    /** Reads a frame. */
    public static CallGrant read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CALL_GRANT);
        CallGrant read = new CallGrant(in.id(), in.string(), in.string(), in.u32(), in.u32(), in.u32());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.CALL_GRANT, 0, epoch), out -> out.string(service)
                        .string(receiver)
                        .u32(calls)
                        .u32(waiting)
                        .u32(running));
    }
}
