package dev.cleave.serial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one frame, which have arrived, and the values that are still arriving; each is taken once. Of one thread at a
 * time.
 */
public final class ArrivedBlocks {

    private static final ArrivedBlocks NONE = new ArrivedBlocks(List.of());

    private final List<Block> blocks;
    private final List<LateValue> late;
    private final boolean[] taken; // first the blocks
    private int left;

    /** Takes blocks that are complete. */
    public ArrivedBlocks(List<Block> blocks) {
        this(blocks, List.of());
    }

    /** Takes blocks that are complete, and values that need not be. */
    public ArrivedBlocks(List<Block> blocks, List<LateValue> late) {
        this.blocks = List.copyOf(blocks);
        this.late = List.copyOf(late);
        taken = new boolean[blocks.size() + late.size()];
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
        return (byte[]) arrayOf(take(blocks.size() - 1));
    }

    /** The array with a number. */
    Object take(int index, ValueKind kind) {
        Block block = take(index);
        if (!block.isOf(kind)) {
            throw SerialException.malformed("block " + index + " is another array (expected: " + kind + ")");
        }
        return arrayOf(block);
    }

    /** The value of a group. */
    LateValue takeLate(int group) {
        for (int i = 0; i < late.size(); i++) {
            int place = blocks.size() + i;
            if (late.get(i).group() == group && !taken[place]) {
                taken[place] = true;
                left--;
                return late.get(i);
            }
        }
        throw SerialException.malformed("group: " + group + " (expected: one that has not been read)");
    }

    private static Object arrayOf(Block block) {
        @Nullable Object array = block.array();
        if (array == null) {
            throw SerialException.malformed("block without an array");
        }
        return array;
    }

    private Block take(int index) {
        if (index < 0 || index >= blocks.size() || taken[index]) {
            throw SerialException.malformed(
                    "block: " + index + " (expected: one of the " + left + " that have not been read)");
        }
        taken[index] = true;
        left--;
        return blocks.get(index);
    }
}
