package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * GOAWAY: the sender closes the connection after this frame; or it wishes to leave, and the receiver makes no new calls
 * there and closes the connection when its calls in flight have ended.
 *
 * <pre>
 *   header (kind 20, id = 1 if the sender waits, else 0) | u8 code | string text
 * </pre>
 *
 * @param code the reason
 * @param text the reason, for people
 * @param isPatient whether the sender waits for calls in flight
 */
public record GoAway(ErrorCode code, String text, boolean isPatient) implements Frame {

    /** Creates the frame of a sender that closes the connection at once. */
    public GoAway(ErrorCode code, String text) {
        this(code, text, false);
    }

    /** Creates the frame of a sender that wishes to leave, and waits for calls in flight. */
    public static GoAway leaving(String text) {
        return new GoAway(ErrorCode.CANCELLED, text, true);
    }

    /** Checks its components. */
    public GoAway {
        requireNonNull(code, "code");
        requireNonNull(text, "text");
    }

    /** Reads a frame. */
    public static GoAway read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.GOAWAY);
        GoAway read = new GoAway(ErrorCode.of(in.u8()), Names.escaped(in.string()), in.id() == 1);
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.GOAWAY, 0, isPatient ? 1 : 0), out -> out.u8(code.number())
                        .string(text));
    }
}
