package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC32C of frames: finds each error of one to three bits, and each burst of up to 32, in a frame of up to 256 MiB. */
public final class Checksum {

    /** The length of a checksum in bytes. */
    public static final int LENGTH = Integer.BYTES;

    private Checksum() {}

    /** Computes the checksum of {@code length} bytes from {@code index} on; moves no index. */
    public static int of(ByteBuf bytes, int index, int length) {
        CRC32C crc = new CRC32C();
        if (bytes.hasArray()) {
            crc.update(bytes.array(), bytes.arrayOffset() + index, length);
        } else {
            for (ByteBuffer part : bytes.nioBuffers(index, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }

    /**
     * Checks a checksum.
     *
     * @throws WireException if it is another than that of the bytes
     */
    public static void check(int checksum, ByteBuf bytes, int index, int length) {
        if (checksum != of(bytes, index, length)) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "checksum: wrong (bits have changed on the way; expected: a sound network)");
        }
    }
}
