package dev.cleave.jmh.bench.bare;

import java.nio.ByteBuffer;

/** Bytes that come in parts of any size, and are too many to wait in a buffer until all are there. Of one thread. */
final class BytesInFlight {

    /** From this many bytes on they are taken as they come. */
    static final int LEAST = 4 << 10;

    private final byte[] bytes;
    private int filled;

    BytesInFlight(int count) {
        bytes = new byte[count];
    }

    /** Takes the bytes that have come; says whether all have. */
    boolean fill(ByteBuffer in) {
        int count = Math.min(bytes.length - filled, in.remaining());
        in.get(bytes, filled, count);
        filled += count;
        return filled == bytes.length;
    }

    byte[] bytes() {
        return bytes;
    }
}
