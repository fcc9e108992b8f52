package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CALL_CLAIM: the broker claims waiting calls of a server for another server. The server answers with
 * {@link CallGrant}, and sends {@link Moved} to the sender of each call that it gives away.
 *
 * <pre>
 *   header (kind 30, id = epoch) | string service | string receiver | u32 receiver load | u32 numerator | u32 denominator
 *   | u64 fence                                                           only with flag 1
 * </pre>
 *
 * <p>Flag 1 is sent only to a peer with {@link Hello#FENCES}.
 *
 * @param epoch grows with every claim that a broker makes; a claim that is not newer than the last is void
 * @param service the service of the calls
 * @param receiver the replica that the calls are to go to
 * @param receiverLoad the number of calls that wait, run or are on their way there
 * @param numerator of the fraction that is claimed, or the number of calls
 * @param denominator of the fraction that is claimed, or 0 for a number
 * @param fence the token of the broker that moves the calls of the service, greater than those of all brokers that did so
 *     before; 0 if there is only one broker
 */
public record CallClaim(
        long epoch, String service, String receiver, int receiverLoad, int numerator, int denominator, long fence)
        implements Frame {

    private static final int FENCED = 1;

    /** Checks its components. */
    public CallClaim {
        requireNonNull(service, "service");
        requireNonNull(receiver, "receiver");
    }

    /** Creates a claim of the only broker. */
    public CallClaim(long epoch, String service, String receiver, int receiverLoad, int numerator, int denominator) {
        this(epoch, service, receiver, receiverLoad, numerator, denominator, 0);
    }

    /** Returns this claim with another fence. */
    public CallClaim fencedBy(long token) {
        return new CallClaim(epoch, service, receiver, receiverLoad, numerator, denominator, token);
    }

    /** Reads a frame. */
    public static CallClaim read(ByteBuf frame) {
        boolean isFenced = frame.readableBytes() >= Header.LENGTH && (Header.flags(frame) & FENCED) != 0;
        FrameReader in = FrameReader.open(frame, FrameKind.CALL_CLAIM);
        CallClaim read =
                new CallClaim(in.id(), in.string(), in.string(), in.u32(), in.u32(), in.u32(), isFenced ? in.u64() : 0);
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.CALL_CLAIM, 0, epoch), out -> {
            out.string(service)
                    .string(receiver)
                    .u32(receiverLoad)
                    .u32(numerator)
                    .u32(denominator);
            if (fence != 0) {
                out.u64(fence);
            }
        });
        if (fence != 0) {
            Header.flags(frame, FENCED);
        }
        return frame;
    }
}
