package dev.cleave.serial;

import dev.cleave.wire.Blocks;
import org.jspecify.annotations.Nullable;

/**
 * Stands among the objects of a message for a streamed value. A streamed value shares no objects with the rest of the
 * message, whether it is large or small.
 */
final class Placeholder {

    /** Where the numbers of streamed values begin among those of blocks. */
    static final int VALUES_AT = 1 << 20;

    private final int number;
    private final byte @Nullable [] bytes;

    /** Stands for a value that follows in blocks; they have its number. */
    Placeholder(int number) {
        if (number < 1 || number > Blocks.MOST_GROUPS) {
            throw SerialException.malformed("streamed value: " + number + " (expected: 1.." + Blocks.MOST_GROUPS + ")");
        }
        this.number = number;
        bytes = null;
    }

    /** Stands for a small value: its bytes, written by itself. */
    Placeholder(byte[] bytes) {
        number = 0;
        this.bytes = bytes;
    }

    /** The number of the blocks that follow; 0 if the value is small. */
    int number() {
        return number;
    }

    /** The bytes of a small value; null of one that follows. */
    byte @Nullable [] bytes() {
        return bytes;
    }
}
