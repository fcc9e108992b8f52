package dev.cleave.serial;

import dev.cleave.wire.Blocks;
import org.jspecify.annotations.Nullable;

/**
 * Stands among the objects of a message for one that is used while it arrives. It shares no objects with the others, whether it
 * is large or small.
 */
final class Apart {

    /** Where the numbers of groups begin among those of blocks. */
    static final int GROUPS_AT = 1 << 20;

    private final int group;
    private final byte @Nullable [] bytes;

    /** A large one: the group of blocks that it is. */
    Apart(int group) {
        if (group < 1 || group > Blocks.MOST_GROUPS) {
            throw SerialException.malformed("group: " + group + " (expected: 1.." + Blocks.MOST_GROUPS + ")");
        }
        this.group = group;
        bytes = null;
    }

    /** A small one: it, written by itself. */
    Apart(byte[] bytes) {
        group = 0;
        this.bytes = bytes;
    }

    int group() {
        return group;
    }

    /** What it is if it is small, else null. */
    byte @Nullable [] bytes() {
        return bytes;
    }
}
