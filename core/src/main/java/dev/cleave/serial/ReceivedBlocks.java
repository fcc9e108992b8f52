package dev.cleave.serial;

import dev.cleave.stream.Block;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.stream.StreamedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one message, which have arrived, and its streamed values, which may be arriving: each is taken once. Of
 * one thread at a time.
 */
public final class ReceivedBlocks {

    private static final ReceivedBlocks NONE = new ReceivedBlocks(List.of(), List.of());

    private final List<Block> blocks;
    private final List<StreamedValue> values;
    private final boolean[] taken; // first the blocks
    private int left;

    ReceivedBlocks(List<Block> blocks, List<StreamedValue> values) {
        this.blocks = List.copyOf(blocks);
        this.values = List.copyOf(values);
        taken = new boolean[blocks.size() + values.size()];
        left = taken.length;
    }

    /** The blocks of a message that is {@linkplain StreamReceiver#isReady ready}. */
    public static ReceivedBlocks of(StreamReceiver receiver) {
        return new ReceivedBlocks(receiver.blocks(), receiver.values());
    }

    /** The blocks of a message that has none. */
    public static ReceivedBlocks none() {
        return NONE;
    }

    /** How many blocks there are besides that of the objects. */
    public int arrays() {
        return blocks.size()
                - (!blocks.isEmpty() && blocks.get(blocks.size() - 1).isObjects() ? 1 : 0);
    }

    /** Returns these blocks, none of which has been taken, with more arrays behind the {@link #arrays} of their own. */
    public ReceivedBlocks and(List<Block> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Block> all = new ArrayList<>(blocks);
        all.addAll(arrays(), more);
        return new ReceivedBlocks(all, values);
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
        Block block = take(blocks.size() - 1);
        byte[] bytes = (byte[]) arrayOf(block);
        return bytes.length == block.bytes()
                ? bytes
                : Arrays.copyOf(bytes, (int) block.bytes()); // one that was written has room to spare
    }

    /** The array with a number. */
    Object take(int index, ValueKind kind) {
        Block block = take(index);
        if (!block.isOf(kind.descriptor())) {
            throw SerialException.malformed("block " + index + " is another array (expected: " + kind + ")");
        }
        return arrayOf(block);
    }

    /** The streamed value with a number. */
    StreamedValue takeValue(int number) {
        for (int i = 0; i < values.size(); i++) {
            int place = blocks.size() + i;
            if (values.get(i).number() == number && !taken[place]) {
                taken[place] = true;
                left--;
                return values.get(i);
            }
        }
        throw SerialException.malformed("streamed value: " + number + " (expected: one that has not been read)");
    }

    /** The streamed value with a number, which is an array of a kind. */
    StreamedValue takeArray(int number, ValueKind kind) {
        StreamedValue value = takeValue(number);
        if (value.blocks().size() != 1 || !value.blocks().get(0).isOf(kind.descriptor())) {
            throw SerialException.malformed("streamed value " + number + " is another one (expected: " + kind + ")");
        }
        return value;
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
