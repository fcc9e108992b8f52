package dev.cleave.jmh.bench.bare;

import java.nio.ByteBuffer;

/**
 * The frames of contenders without a protocol of their own, little endian.
 *
 * <pre>
 *   request:  0 u8 kind, 1 i32 caller, 5 i32 length of what follows
 *             (NOTHING 0, ECHO 8, ENDS 8 for each double, BYTES any, DOUBLES 4: how many are asked for)
 *   reply:    0 i32 caller, 4 i32 length of what follows (0, 8, 8 for each double, as many bytes as came)
 * </pre>
 */
final class EchoFrames {

    static final byte NOTHING = 0;
    static final byte ECHO = 1;
    static final byte ENDS = 2;
    static final byte BYTES = 3;
    static final byte DOUBLES = 4;

    static final int REQUEST_HEADER = Byte.BYTES + 2 * Integer.BYTES;
    static final int REPLY_HEADER = 2 * Integer.BYTES;

    private EchoFrames() {}

    static void putNothing(ByteBuffer out, int caller) {
        out.put(NOTHING).putInt(caller).putInt(0);
    }

    static void putEcho(ByteBuffer out, int caller, long value) {
        out.put(ECHO).putInt(caller).putInt(Long.BYTES).putLong(value);
    }

    static void putBytes(ByteBuffer out, int caller, byte[] value) {
        putBytesHeader(out, caller, value.length);
        out.put(value);
    }

    static void putBytesHeader(ByteBuffer out, int caller, int length) {
        out.put(BYTES).putInt(caller).putInt(length);
    }

    static void putDoubles(ByteBuffer out, int caller, int count) {
        out.put(DOUBLES).putInt(caller).putInt(Integer.BYTES).putInt(count);
    }

    static void putReply(ByteBuffer out, int caller, int length, long value) {
        out.putInt(caller).putInt(length);
        if (length > 0) {
            out.putLong(value);
        }
    }

    static void putReply(ByteBuffer out, int caller, ByteBuffer bytes) {
        out.putInt(caller).putInt(bytes.remaining()).put(bytes);
    }
}
