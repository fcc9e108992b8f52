package dev.cleave.wire;

import io.netty.buffer.ByteBuf;

/**
 * The sixteen bytes that every frame begins with, big endian.
 *
 * <pre>
 *   0               4       5       6       8              16
 *   +---------------+-------+-------+-------+---------------+
 *   | u32 length    | kind  | flags | peer  | u64 id        |  body ...
 *   +---------------+-------+-------+-------+---------------+
 * </pre>
 *
 * <p>{@code length} counts the whole frame, header included. {@code flags} belongs to the kind of the frame; a receiver
 * ignores flags that it does not know. {@code peer} is 0 on a direct connection; between a broker and a node it is the
 * number that the broker has given to the node at the far end. {@code id} names a call or a request.
 *
 * <p>The methods work on a frame whose reader index is at the header, and move no index.
 */
public final class Header {

    /** The length of a header. */
    public static final int LENGTH = 16;

    /** The greatest length of a HELLO, and of the first frame on any connection. */
    public static final int HELLO_LIMIT = 4 << 10;

    /** The greatest length of a frame that carries no values. */
    public static final int CONTROL_LIMIT = 64 << 10;

    /** The greatest length of an answer about the registry. */
    public static final int REGISTRY_LIMIT = 1 << 20;

    /** The greatest length of a frame that carries values. */
    public static final int CALL_LIMIT = 64 << 20;

    /** The greatest length of a frame with a chunk of a large value. */
    public static final int CHUNK_LIMIT = LENGTH + (256 << 10);

    private static final int LENGTH_AT = 0;
    private static final int KIND_AT = LENGTH_AT + Integer.BYTES;
    private static final int FLAGS_AT = KIND_AT + Byte.BYTES;
    private static final int PEER_AT = FLAGS_AT + Byte.BYTES;
    private static final int ID_AT = PEER_AT + Short.BYTES;

    // of the first eight bytes as a number
    private static final int LENGTH_SHIFT = (Long.BYTES - KIND_AT) * Byte.SIZE;
    private static final int KIND_SHIFT = (Long.BYTES - FLAGS_AT) * Byte.SIZE;
    private static final int FLAGS_SHIFT = (Long.BYTES - PEER_AT) * Byte.SIZE;

    private Header() {}

    /**
     * The kind of a frame.
     *
     * @throws WireException if there is no such kind
     */
    public static FrameKind kind(ByteBuf frame) {
        return FrameKind.of(frame.getUnsignedByte(frame.readerIndex() + KIND_AT));
    }

    /**
     * The first eight bytes of a frame: its length, kind, flags and peer. One reading of them costs less than one of each, since a
     * buffer checks each index.
     */
    public static long first(ByteBuf frame) {
        return frame.getLong(frame.readerIndex());
    }

    /**
     * The kind of a frame, by its {@linkplain #first first bytes}.
     *
     * @throws WireException if there is no such kind
     */
    public static FrameKind kindOf(long first) {
        return FrameKind.of((int) (first >>> KIND_SHIFT) & 0xff);
    }

    /** The relayed client that a frame belongs to, by its {@linkplain #first first bytes}. */
    public static int peerOf(long first) {
        return (int) first & 0xffff;
    }

    static int flagsOf(long first) {
        return (int) (first >>> FLAGS_SHIFT) & 0xff;
    }

    static int lengthOf(long first) {
        return (int) (first >>> LENGTH_SHIFT);
    }

    /** The relayed client that a frame belongs to, 0 on a direct connection. */
    public static int peer(ByteBuf frame) {
        return frame.getUnsignedShort(frame.readerIndex() + PEER_AT);
    }

    /** The call or request that a frame belongs to. */
    public static long id(ByteBuf frame) {
        return frame.getLong(frame.readerIndex() + ID_AT);
    }

    /** Changes the peer and the call of a frame, as a relay does. */
    public static void readdress(ByteBuf frame, int peer, long id) {
        checkPeer(peer);
        frame.setShort(frame.readerIndex() + PEER_AT, peer);
        frame.setLong(frame.readerIndex() + ID_AT, id);
    }

    /**
     * Returns the length of the frame that begins at the reader index.
     *
     * @param limit a limit in addition to that of the frame's kind
     * @return the length, or -1 if its bytes have not arrived
     * @throws WireException if the length is beyond the limits or the kind unknown
     */
    public static int frameLength(ByteBuf bytes, int limit) {
        int readable = bytes.readableBytes();
        if (readable >= ID_AT) { // nearly always
            long first = first(bytes);
            int length = lengthOf(first);
            checkLength(length, Math.min(limit, CALL_LIMIT));
            checkLength(length, Math.min(limit, kindOf(first).maxLength()));
            return length;
        }
        if (readable < KIND_AT) {
            return -1;
        }
        int length = bytes.getInt(bytes.readerIndex() + LENGTH_AT);
        checkLength(length, Math.min(limit, CALL_LIMIT));
        if (readable < FLAGS_AT) {
            return -1;
        }
        checkLength(length, Math.min(limit, kind(bytes).maxLength()));
        return length;
    }

    /**
     * Completes a frame that has been written in parts: sets its length.
     *
     * @throws WireException if the frame is longer than its kind may be; the caller still owns it
     */
    public static void finish(ByteBuf frame) {
        FrameKind kind = kind(frame);
        int length = frame.readableBytes();
        if (length > kind.maxLength()) {
            throw new WireException(
                    ErrorCode.TOO_LARGE,
                    kind + " frame: " + length + " bytes (expected: at most " + kind.maxLength() + ")");
        }
        frame.setInt(frame.readerIndex() + LENGTH_AT, length);
    }

    static void begin(ByteBuf frame, FrameKind kind, int peer, long id) {
        checkPeer(peer);
        frame.writeInt(0).writeByte(kind.number()).writeByte(0).writeShort(peer).writeLong(id);
    }

    static int flags(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + FLAGS_AT);
    }

    static void flags(ByteBuf frame, int flags) {
        frame.setByte(frame.readerIndex() + FLAGS_AT, flags);
    }

    static void checkPeer(int peer) {
        if (peer < 0 || peer > 0xffff) {
            throw new IllegalArgumentException("peer: " + peer + " (expected: 0..65535)");
        }
    }

    private static void checkLength(int length, int limit) {
        if (length < LENGTH || length > limit) {
            throw new WireException(
                    length < 0 || length > limit ? ErrorCode.TOO_LARGE : ErrorCode.PROTOCOL,
                    "frame length: " + Integer.toUnsignedString(length) + " (expected: " + LENGTH + ".." + limit + ")");
        }
    }
}
