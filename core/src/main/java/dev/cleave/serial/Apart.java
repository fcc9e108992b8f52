package dev.cleave.serial;

import dev.cleave.wire.Blocks;
import org.jspecify.annotations.Nullable;

/**
 * Stands among the objects of a message for one that is used while it arrives. It shares no objects with the others, whether it
 * is large or small.
 *
 * @param group of the blocks that it is
 * @param bytes it, written by itself, if it is small: then there are no blocks
 */
record Apart(int group, byte @Nullable [] bytes) {

    /** Where the numbers of groups begin among those of blocks. */
    static final int GROUPS_AT = 1 << 20;

    Apart {
        if (bytes == null && (group < 1 || group > Blocks.MOST_GROUPS)) {
            throw SerialException.malformed("group: " + group + " (expected: 1.." + Blocks.MOST_GROUPS + ")");
        }
    }
}
