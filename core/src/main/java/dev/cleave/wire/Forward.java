package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * FORWARD: a frame between the broker that moves the waiting calls of a service and a replica that is connected to another
 * broker, which passes it on. Between brokers only, and only to peers with {@linkplain FrameKind#feature its feature}.
 *
 * <pre>
 *   header (kind 56) | string replica | u64 fence | frame, header included
 * </pre>
 *
 * @param replica the replica that gets the frame, or has sent it
 * @param fence the token of the broker that moves the calls; a broker drops a frame with an older one than it has seen
 * @param said {@link LoadWatch} or {@link CallClaim} to the replica; {@link Loaded} or {@link CallGrant} of the replica
 */
public record Forward(String replica, long fence, Frame said) implements Frame {

    /** Checks its components. */
    public Forward {
        requireNonNull(replica, "replica");
        requireNonNull(said, "said");
    }

    /** Reads a frame. */
    public static Forward read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.FORWARD);
        Forward read = new Forward(in.string(), in.u64(), said(in.rest()));
        in.end();
        return read;
    }

    private static Frame said(ByteBuf frame) {
        if (frame.readableBytes() < Header.LENGTH) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "FORWARD of a frame of " + frame.readableBytes() + " bytes (expected: at least " + Header.LENGTH
                            + ")");
        }
        FrameKind kind = Header.kind(frame);
        return switch (kind) {
            case LOAD_WATCH -> LoadWatch.read(frame);
            case LOADED -> Loaded.read(frame);
            case CALL_CLAIM -> CallClaim.read(frame);
            case CALL_GRANT -> CallGrant.read(frame);
            default ->
                throw new WireException(
                        ErrorCode.PROTOCOL, "FORWARD of " + kind + " (expected: a frame about calls that move)");
        };
    }

    /** The service whose calls move. */
    public String service() {
        if (said instanceof LoadWatch watch) {
            return watch.service();
        }
        if (said instanceof Loaded loaded) {
            return loaded.service();
        }
        return said instanceof CallClaim claim ? claim.service() : ((CallGrant) said).service();
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf inner = said.write(allocator);
        try {
            return FrameWriter.frame(
                    allocator,
                    new FrameWriter.Address(FrameKind.FORWARD, 0, 0),
                    out -> out.string(replica).u64(fence).bytes(inner));
        } finally {
            inner.release();
        }
    }
}
