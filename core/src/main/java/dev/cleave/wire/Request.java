package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * REQUEST, a call.
 *
 * <pre>
 *   header (kind 2, peer, id = call) | u32 method | u64 deadline | argument bytes to the end
 * </pre>
 *
 * <p>{@link #begin} leaves the frame open for the arguments, {@link Header#finish} completes it; {@link #read} leaves
 * the reader index at the arguments.
 *
 * @param peer the relayed client, or 0
 * @param id the call
 * @param method a number announced by {@link Methods} before
 * @param deadlineMicros what remains until the call's deadline in microseconds; 0 = none
 */
public record Request(int peer, long id, int method, long deadlineMicros) implements Frame {

    /** Where the arguments begin in a frame. */
    public static final int ARGUMENTS_AT = Header.LENGTH + Integer.BYTES + Long.BYTES;

    /** Checks its components. */
    public Request {
        Header.checkPeer(peer);
        if (method < 0 || deadlineMicros < 0) {
            throw new IllegalArgumentException(
                    "method, deadline: " + method + ", " + deadlineMicros + " (expected: not negative)");
        }
    }

    /** Reads the fields of a frame; its reader index is at the arguments afterwards. */
    public static Request read(ByteBuf frame) {
        FrameReader.check(frame, FrameKind.REQUEST);
        int at = frame.readerIndex();
        if (frame.readableBytes() >= ARGUMENTS_AT) {
            int method = frame.getInt(at + Header.LENGTH);
            long deadline = frame.getLong(at + Header.LENGTH + Integer.BYTES);
            if (method >= 0 && deadline >= 0) { // as nearly always: then no reader is made
                Request read = new Request(Header.peer(frame), Header.id(frame), method & ~Blocks.IN_METHOD, deadline);
                frame.skipBytes(ARGUMENTS_AT);
                return read;
            }
        }
        FrameReader in = FrameReader.open(frame, FrameKind.REQUEST); // says what is wrong
        return new Request(in.peer(), in.id(), in.u32() & ~Blocks.IN_METHOD, in.u64());
    }

    /** Begins a frame of a direct call without deadline in a buffer, whatever is in it: as {@link #begin}. */
    public static void begin(ByteBuf frame, int method) {
        frame.clear();
        Header.begin(frame, FrameKind.REQUEST, 0, 0);
        frame.writeInt(method).writeLong(0);
    }

    /** A frame without its arguments and its length; the caller owns it. */
    public ByteBuf begin(ByteBufAllocator allocator, int argumentBytes) {
        ByteBuf frame = allocator.buffer(ARGUMENTS_AT + argumentBytes);
        Header.begin(frame, FrameKind.REQUEST, peer, id);
        return frame.writeInt(method).writeLong(deadlineMicros);
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
