package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * GOAWAY: the sender closes the connection after this frame.
 *
 * <pre>
 *   header (kind 20) | u8 code | string text
 * </pre>
 *
 * @param code why
 * @param text why, for people
 */
public record GoAway(ErrorCode code, String text) implements Frame {

    /** Checks its components. */
    public GoAway {
        requireNonNull(code, "code");
        requireNonNull(text, "text");
    }

    /** Reads a frame. */
    public static GoAway read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.GOAWAY);
        GoAway read = new GoAway(ErrorCode.of(in.u8()), in.string());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.GOAWAY, 0, 0), out -> out.u8(code.number())
                        .string(text));
    }
}
