package dev.cleave.serial;

import java.util.List;

/** The blocks of one frame, which have arrived; each is taken once. Of one thread at a time. */
public final class ArrivedBlocks {

    private static final ArrivedBlocks NONE = new ArrivedBlocks(List.of());

    private final List<Block> blocks;
    private final boolean[] taken;
    private int left;

    /** Takes blocks that are complete. */
    public ArrivedBlocks(List<Block> blocks) {
        this.blocks = List.copyOf(blocks);
        taken = new boolean[blocks.size()];
        left = taken.length;
    }

    /** None. */
    public static ArrivedBlocks none() {
        return NONE;
    }

    boolean isEmpty() {
        return left == 0;
    }

    /** Whether the objects are the last block. */
    boolean hasObjects() {
        return !blocks.isEmpty() && blocks.get(blocks.size() - 1).isObjects() && !taken[blocks.size() - 1];
    }

    /** The bytes of the objects, which are the last block. */
    byte[] takeObjects() {
        return (byte[]) take(blocks.size() - 1).array();
    }

    /** The array with a number. */
    Object take(int index, ValueKind kind) {
        Block block = take(index);
        if (!block.isOf(kind)) {
            throw SerialException.malformed("block " + index + " is another array (expected: " + kind + ")");
        }
        return block.array();
    }

    private Block take(int index) {
        if (index < 0 || index >= taken.length || taken[index]) {
            throw SerialException.malformed(
                    "block: " + index + " (expected: one of the " + left + " that have not been read)");
        }
        taken[index] = true;
        left--;
        return blocks.get(index);
    }
}
