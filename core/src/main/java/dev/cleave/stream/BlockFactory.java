package dev.cleave.stream;

import dev.cleave.wire.Blocks;
import dev.cleave.wire.WireException;
import java.util.List;

/** Makes the blocks of values that are sent, and those of messages that are received. */
public final class BlockFactory {

    private BlockFactory() {}

    /** Whether a value is an array of primitives, or of such arrays: then a block can have it. */
    public static boolean isArray(Object value) {
        Class<?> element = value.getClass().getComponentType();
        return element != null && (element.isPrimitive() || RowsBlock.isRows(value));
    }

    /** The block of {@linkplain #isArray an array}, whose elements are read when the block is sent. */
    public static Block of(Object array) {
        return array.getClass().getComponentType().isPrimitive() ? new ArrayBlock(array) : RowsBlock.ofRows(array);
    }

    /** The block of objects that have been written to the first {@code count} bytes of an array. */
    public static Block ofObjects(byte[] bytes, int count) {
        return new ArrayBlock(bytes, count);
    }

    /** The block of an array that is still being received, and is sent on as it arrives. */
    public static Block forwarding(StreamedValue source) {
        return new ForwardedBlock(source);
    }

    /**
     * A block that is to be received.
     *
     * @throws WireException if there is no block of such a kind and size
     */
    public static Block received(Blocks announced) {
        int kind = announced.kind();
        long bytes = announced.bytes();
        if (RowsBlock.isRows(kind) && bytes % RowsBlock.UNIT == 0) {
            return new RowsBlock(kind, bytes);
        }
        int size = kind == Block.OBJECTS ? 1 : Elements.size(kind);
        if (size == 0 || bytes % size != 0 || bytes / size > Elements.MOST) {
            throw Block.malformed("block of kind " + kind + " with " + bytes
                    + " bytes (expected: an array of primitives, or of such arrays)");
        }
        return new ArrayBlock(kind, bytes);
    }

    /** The streamed values that blocks forward, one for each block that does. */
    public static List<StreamedValue> sources(List<Block> blocks) {
        return blocks.stream()
                .filter(ForwardedBlock.class::isInstance)
                .map(block -> ((ForwardedBlock) block).source())
                .toList();
    }
}
