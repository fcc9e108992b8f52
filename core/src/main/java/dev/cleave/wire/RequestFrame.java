package dev.cleave.wire;

import io.netty.buffer.ByteBuf;

/**
 * Changes the {@linkplain RequestHead head} of a REQUEST whose arguments are written already. The reader index of each frame is
 * at its header, and follows it.
 *
 * <p>A sender writes the arguments before all options are known. So a frame that {@link #begin} has begun leaves
 * {@link #ROOM} bytes free in front of its head: later options are written in front of the arguments, which stay in
 * place, and the 28 bytes of the head move to the front. Arguments move only if the room is too small; {@link #reserve}
 * makes it larger in time. A frame without options stays where it is.
 */
public final class RequestFrame {

    /** The free bytes in front of the head of a new frame: for options that depend on the chosen replica of a call. */
    public static final int ROOM = RequestCodec.LATE_LENGTH;

    private RequestFrame() {}

    /**
     * Begins a frame of a direct call without deadline and options in a buffer, whose contents it replaces, after
     * {@link #ROOM} free bytes.
     */
    public static void begin(ByteBuf frame, int method) {
        frame.clear().ensureWritable(ROOM).setIndex(ROOM, ROOM);
        beginHere(frame, method);
    }

    /** Begins a frame without free bytes: for arguments that may move when options are put in front of them. */
    public static void beginTight(ByteBuf frame, int method) {
        beginHere(frame.clear(), method);
    }

    private static void beginHere(ByteBuf frame, int method) {
        Header.begin(frame, FrameKind.REQUEST, 0, 0);
        frame.writeInt(method).writeLong(0);
    }

    /**
     * Reserves room so that arguments do not move when these options, a lane, a key and an earlier call are put on the
     * frame.
     */
    public static void reserve(RequestOptions options, ByteBuf frame) {
        int missing = RequestCodec.length(options) + ROOM - frame.readerIndex();
        if (missing > 0) {
            shift(frame, missing);
        }
    }

    /**
     * Replaces the options of a frame, and {@linkplain Header#finish completes} it.
     *
     * @throws WireException if the frame is too long; the caller still owns it
     */
    public static void put(RequestOptions options, ByteBuf frame) {
        int before = blockLength(frame);
        int after = RequestCodec.length(options);
        if (before > 0 || after > 0) {
            int missing = after - before - frame.readerIndex();
            if (missing > 0) {
                shift(frame, missing);
            }
            moveHead(frame, frame.readerIndex() + before - after);
            int end = frame.writerIndex();
            frame.writerIndex(frame.readerIndex() + RequestHead.PLAIN_LENGTH);
            RequestCodec.writeBlock(options, frame);
            frame.writerIndex(end);
        }
        Header.flags(frame, RequestCodec.flags(options));
        Header.finish(frame);
    }

    /** Sets in place whether a call may move; only a call without a lane may. */
    public static void movable(ByteBuf frame, boolean isMovable) {
        int flags = Header.flags(frame);
        Header.flags(frame, isMovable ? flags | RequestOptions.MOVABLE : flags & ~RequestOptions.MOVABLE);
    }

    /** Marks in place that a call has moved. */
    public static void moved(ByteBuf frame) {
        Header.flags(frame, Header.flags(frame) | RequestOptions.MOVED);
    }

    /** Takes the mark of {@link #moved} away in place. */
    public static void notMoved(ByteBuf frame) {
        Header.flags(frame, Header.flags(frame) & ~RequestOptions.MOVED);
    }

    /** Sets in place the time until the deadline, in microseconds. */
    public static void deadline(ByteBuf frame, long micros) {
        frame.setLong(frame.readerIndex() + RequestHead.DEADLINE_AT, micros);
    }

    /** The time until the deadline, in microseconds. */
    public static long deadline(ByteBuf frame) {
        return frame.getLong(frame.readerIndex() + RequestHead.DEADLINE_AT);
    }

    private static int blockLength(ByteBuf frame) {
        return (Header.flags(frame) & RequestCodec.HAS_BLOCK) == 0
                ? 0
                : Short.BYTES + frame.getUnsignedShort(frame.readerIndex() + RequestHead.PLAIN_LENGTH);
    }

    private static void shift(ByteBuf frame, int bytes) {
        int at = frame.readerIndex();
        int length = frame.readableBytes();
        frame.ensureWritable(bytes);
        frame.setBytes(at + bytes, frame, at, length);
        frame.setIndex(at + bytes, at + bytes + length);
    }

    /** Moves the fields up to the deadline; source and target may overlap. */
    private static void moveHead(ByteBuf frame, int to) {
        int at = frame.readerIndex();
        long first = frame.getLong(at);
        long id = frame.getLong(at + Long.BYTES);
        int method = frame.getInt(at + Header.LENGTH);
        long deadline = frame.getLong(at + RequestHead.DEADLINE_AT);
        frame.setLong(to, first);
        frame.setLong(to + Long.BYTES, id);
        frame.setInt(to + Header.LENGTH, method);
        frame.setLong(to + RequestHead.DEADLINE_AT, deadline);
        frame.readerIndex(to);
    }
}
