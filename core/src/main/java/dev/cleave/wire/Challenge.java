package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.security.SecureRandom;

/**
 * CHALLENGE: asks a peer without a certificate for the {@link Proof} of a token, before this side's HELLO.
 *
 * <pre>
 *   header (kind 44) | u64 high | u64 low
 * </pre>
 *
 * @param high upper half of 128 random bits, which no other connection has
 * @param low lower half of them
 */
public record Challenge(long high, long low) implements Frame {

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Draws one. */
    public static Challenge random() {
        return new Challenge(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /** Reads a frame. */
    public static Challenge read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CHALLENGE);
        Challenge read = new Challenge(in.bits64(), in.bits64());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.CHALLENGE, 0, 0), out -> out.bits64(high)
                .bits64(low));
    }
}
