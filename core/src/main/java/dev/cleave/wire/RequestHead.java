package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * REQUEST, a call: the head of the frame, which precedes its arguments.
 *
 * <pre>
 *   0               4       5       6       8              16
 *   +---------------+-------+-------+-------+---------------+
 *   | u32 length    | 2     | flags | peer  | u64 call      |
 *   +---------------+-------+-------+-------+---------------+
 *   | u32 method    | u64 deadline          |                  28 bytes with the header: all of most calls
 *   +---------------+-----------------------+
 *   | u16 length of all options             |                  only with flag 128
 *   | (u8 option | u16 length | bytes)*     |                  ascending by option
 *   +---------------------------------------+
 *   | argument bytes to the end of the frame
 *
 *   flag      1   the caller waits from the beginning
 *             2   the call may move to another replica         not in a lane
 *             4   the call has moved from another replica      not in a lane
 *         8-32    how many arguments of later calls the result is for, and nothing else: it may stay at the server
 *           128   options follow the deadline
 *
 *   option    1   lane               u8 kind (0 thread, 1 group, 2 chain, 3 dependent) + 4 if the call is the first of it | u64 id
 *             2   path               (u64 call)*
 *             3   pending arguments  (u32 call | u32 at | u16 parameter | u16 lane)*
 *             4   blocks             (u8 kind | u16 group | u48 bytes)*
 *             5   key                u64                       to a broker, which takes it off
 *             6   earlier call       u64                       to a broker, which takes it off
 *             7   attachments        (u16 length | UTF-8)*     key, value, key, value ...
 *             8   shared lanes       (u64 high | u64 low | u16 length | endpoint)*
 *             9   rating             f64 priority | u32 CRC32C of its expression | u8 1 = blocked callers first
 * </pre>
 *
 * <p>An option that is not in this list is refused: a sender knows by version and features of the {@link Hello} which
 * options its peer reads. A receiver ignores flags that it does not know.
 *
 * <p>{@link #begin} leaves the frame open for the arguments, {@link Header#finish} completes it; {@link #read} leaves
 * the reader index at the arguments. {@link RequestFrame} changes the head of a frame whose arguments are written.
 *
 * @param peer the relayed client, or 0
 * @param id the call
 * @param method a number announced by {@link Methods} before
 * @param deadlineMicros the time until the call's deadline in microseconds; 0 = the time has not begun: the call is
 * sent before its caller has reached its place, where it is made again if it was not executed
 * @param options the flags and options of the call
 */
public record RequestHead(int peer, long id, int method, long deadlineMicros, RequestOptions options) implements Frame {

    /** The bytes of a head without options. */
    public static final int PLAIN_LENGTH = Header.LENGTH + Integer.BYTES + Long.BYTES;

    /** The index of the deadline in a frame. */
    static final int DEADLINE_AT = Header.LENGTH + Integer.BYTES;

    /** Checks its components. */
    public RequestHead {
        Header.checkPeer(peer);
        requireNonNull(options, "options");
        if (method < 0 || deadlineMicros < 0) {
            throw new IllegalArgumentException(
                    "method, deadline: " + method + ", " + deadlineMicros + " (expected: not negative)");
        }
    }

    /** Creates a head without flags and options. */
    public RequestHead(int peer, long id, int method, long deadlineMicros) {
        this(peer, id, method, deadlineMicros, RequestOptions.NONE);
    }

    /** Reads the head of a frame; its reader index is at the arguments afterwards. */
    public static RequestHead read(ByteBuf frame) {
        FrameReader.check(frame, FrameKind.REQUEST);
        int at = frame.readerIndex();
        if (frame.readableBytes() >= PLAIN_LENGTH) {
            int method = frame.getInt(at + Header.LENGTH);
            long deadline = frame.getLong(at + DEADLINE_AT);
            if (method >= 0 && deadline >= 0) { // nearly always true: then no reader object is made
                long first = Header.first(frame);
                long id = Header.id(frame);
                frame.skipBytes(PLAIN_LENGTH);
                return new RequestHead(
                        Header.peerOf(first), id, method, deadline, RequestCodec.read(Header.flagsOf(first), frame));
            }
        }
        // the reader throws with a message that describes the mistake
        FrameReader in = FrameReader.open(frame, FrameKind.REQUEST);
        return new RequestHead(in.peer(), in.id(), in.u32(), in.u64());
    }

    /** Begins a frame without its arguments and its length; the caller owns it. */
    public ByteBuf begin(ByteBufAllocator allocator, int argumentBytes) {
        ByteBuf frame = allocator.buffer(PLAIN_LENGTH + RequestCodec.length(options) + argumentBytes);
        Header.begin(frame, FrameKind.REQUEST, peer, id);
        Header.flags(frame, RequestCodec.flags(options));
        frame.writeInt(method).writeLong(deadlineMicros);
        RequestCodec.writeBlock(options, frame);
        return frame;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
