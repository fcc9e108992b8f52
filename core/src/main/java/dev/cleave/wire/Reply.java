package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * REPLY, the result of a call.
 *
 * <pre>
 *   header (kind 3, peer, id = call) | result bytes to the end
 * </pre>
 *
 * <p>{@link #begin} leaves the frame open for the result, {@link Header#finish} completes it; {@link #read} leaves the
 * reader index at the result.
 *
 * @param peer the relayed client, or 0
 * @param id the call
 */
public record Reply(int peer, long id) implements Frame {

    /** The index of the result in a frame. */
    public static final int RESULT_AT = Header.LENGTH;

    /** Checks its components. */
    public Reply {
        Header.checkPeer(peer);
    }

    /** Reads the fields of a frame; its reader index is at the result afterwards. */
    public static Reply read(ByteBuf frame) {
        FrameReader.check(frame, FrameKind.REPLY);
        Reply read = new Reply(Header.peer(frame), Header.id(frame));
        frame.skipBytes(RESULT_AT);
        return read;
    }

    /** Checks a frame whose fields are known; its reader index is at the result afterwards. */
    public static void skip(ByteBuf frame) {
        FrameReader.check(frame, FrameKind.REPLY);
        frame.skipBytes(RESULT_AT);
    }

    /** Begins a frame in a buffer, whose contents it replaces, as {@link #begin(ByteBufAllocator, int)} does. */
    public static void begin(ByteBuf frame, int peer, long id) {
        frame.clear();
        Header.begin(frame, FrameKind.REPLY, peer, id);
    }

    /** Begins a frame without its result and its length; the caller owns it. */
    public ByteBuf begin(ByteBufAllocator allocator, int resultBytes) {
        ByteBuf frame = allocator.buffer(RESULT_AT + resultBytes);
        Header.begin(frame, FrameKind.REPLY, peer, id);
        return frame;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
