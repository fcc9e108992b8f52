package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * FAILURE, the other outcome of a call or of a request to the broker.
 *
 * <pre>
 *   header (kind 4, peer, id = call or request) | u8 code | u8 execution | string message | detail bytes to the end
 * </pre>
 *
 * <p>{@link #begin} leaves the frame open for the detail, {@link Header#finish} completes it; {@link #read} leaves the
 * reader index at the detail. {@link #write} is a failure without detail.
 *
 * @param peer the relayed client, or 0
 * @param id the call or request
 * @param code why
 * @param execution whether the method ran
 * @param message what happened, for people; cut at {@value #MAX_MESSAGE} characters
 */
public record Failure(int peer, long id, ErrorCode code, Execution execution, String message) implements Frame {

    /** The greatest number of characters of a message. */
    public static final int MAX_MESSAGE = 4096;

    /** Checks its components, and cuts the message. */
    public Failure {
        Header.checkPeer(peer);
        requireNonNull(code, "code");
        requireNonNull(execution, "execution");
        if (message.length() > MAX_MESSAGE) {
            message = message.substring(0, MAX_MESSAGE);
        }
    }

    /** Reads the fields of a frame; its reader index is at the detail afterwards. */
    public static Failure read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.FAILURE);
        return new Failure(in.peer(), in.id(), ErrorCode.of(in.u8()), Execution.of(in.u8()), in.string());
    }

    /** A frame without its detail and its length; the caller owns it. */
    public ByteBuf begin(ByteBufAllocator allocator, int detailBytes) {
        int capacity = Header.LENGTH + Integer.BYTES + message.length() + detailBytes;
        return FrameWriter.begin(
                allocator, capacity, new FrameWriter.Address(FrameKind.FAILURE, peer, id), out -> out.u8(code.number())
                        .u8(execution.ordinal())
                        .string(message));
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
