package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result that was written to be streamed, in the form of one that comes whole: then it can be an argument. No code of the
 * program runs to make it so.
 *
 * @param kind how it is written
 * @param bytes all but its large arrays
 * @param blocks its large arrays, which it shares with the streamed form
 * @param highestType the highest number of a type among its bytes, or -1
 */
public record WholeForm(ValueKind kind, byte[] bytes, List<Block> blocks, int highestType) {

    /**
     * Makes it of the streamed form.
     *
     * @param blocks all that follow the result; their bytes are here
     * @return null if anything but the result itself is streamed
     */
    public static @Nullable WholeForm of(
            Codec codec, ValueKind kind, byte[] streamed, List<Block> blocks, int highestType) {
        if (blocks.stream().anyMatch(block -> block.announcement().group() != 1)) {
            return null; // the number of the result at the place 0
        }
        Block last = blocks.get(blocks.size() - 1);
        if (kind == ValueKind.OBJECT && last.isObjects()) { // these bytes are the object by itself
            return new WholeForm(kind, new byte[0], unnumbered(blocks), highestType);
        }
        if (blocks.size() > 1) {
            return null;
        }
        return kind == ValueKind.OBJECT
                ? ofArray(codec, requireNonNull(last.array()))
                : new WholeForm(kind, first(kind, streamed), unnumbered(blocks), -1);
    }

    /** Returns it as it is kept. */
    public WrittenValue kept(List<String> types) {
        return WrittenValue.of(this, types);
    }

    private static WholeForm ofArray(Codec codec, Object array) {
        ByteBuf target = ByteBufAllocator.DEFAULT.heapBuffer();
        try {
            ValueWriter writer = codec.blockWriter(target);
            writer.putObject(array);
            int highest = writer.finish(object -> "the result");
            byte[] bytes = new byte[target.readableBytes()];
            target.readBytes(bytes);
            return new WholeForm(ValueKind.OBJECT, bytes, writer.blocks(), highest);
        } finally {
            target.release();
        }
    }

    /** Returns what stands for the first large array or string of a message that is not streamed. */
    private static byte[] first(ValueKind kind, byte[] streamed) {
        int coded = kind == ValueKind.STRING ? -1 - (-1 - streamed[Integer.BYTES - 1] & 1) : -2;
        return new byte[] {-1, -1, -1, (byte) coded};
    }

    private static List<Block> unnumbered(List<Block> blocks) {
        List<Block> all = new ArrayList<>();
        for (Block block : blocks) {
            Object array = requireNonNull(block.array());
            all.add(
                    block.isObjects()
                            ? BlockFactory.ofObjects((byte[]) array, (int) block.bytes())
                            : BlockFactory.of(array));
        }
        return all;
    }
}
