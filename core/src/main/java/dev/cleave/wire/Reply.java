package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * REPLY, the result of a call.
 *
 * <pre>
 *   header (kind 3, peer, id = call) | result bytes to the end
 *
 *   flag      1   blocks follow, see {@link Blocks}
 *             2   the result stays at the server: u64 bytes of it instead of the result
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

    /** The flag of a result that stays at the server, for a call that {@linkplain RequestOptions#uses allows} it. */
    public static final int STAYED = 2;

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

    /** Creates the reply of a call whose result of a number of bytes stays at the server. */
    public ByteBuf stayed(ByteBufAllocator allocator, long bytes) {
        ByteBuf frame = begin(allocator, Long.BYTES);
        frame.writeLong(bytes);
        Header.flags(frame, STAYED);
        Header.finish(frame);
        return frame;
    }

    /** Whether the result stays at the server; then the frame has its number of bytes. */
    public static boolean hasStayed(ByteBuf frame) {
        return (Header.flags(frame) & STAYED) != 0;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
