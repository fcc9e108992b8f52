package dev.cleave.serial;

import com.esotericsoftware.kryo.io.Output;
import dev.cleave.Later;
import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Header;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Kryo's output with the strings and primitive arrays that {@link BoundedInput} reads. */
final class PlainOutput extends Output {

    private static final int KEPT = 1 << 16;

    /** The most bytes of objects beside blocks. */
    private static final int MOST = 1 << 30;

    private @Nullable List<Block> blocks; // null if there are none
    private int most = Blocks.MOST - 1; // blocks

    private @Nullable Function<Later.Value<?>, Placeholder> streamed; // null if streamed values stay in their objects

    PlainOutput() {
        super(1 << 10, Header.CALL_LIMIT);
    }

    /** Begins; large arrays become blocks if they may. */
    void begin(@Nullable List<Block> beside) {
        blocks = beside;
        streamed = null;
        most = Blocks.MOST - 1;
        maxCapacity = beside == null ? Header.CALL_LIMIT : MOST;
    }

    /** Sets the greatest number of blocks. */
    void most(int number) {
        most = number;
    }

    /** Sets what takes streamed values out of objects, and returns what is written in their places. */
    void streamed(Function<Later.Value<?>, Placeholder> writer) {
        streamed = writer;
    }

    /** Takes a streamed value out of an object; null if it stays there. */
    @Nullable
    Placeholder streamed(Later.Value<?> value) {
        return streamed == null ? null : streamed.apply(value);
    }

    /** The number of the block that an array has become; -1 if it is to be written. */
    int block(Object array) {
        List<Block> beside = blocks;
        if (beside == null || beside.size() >= most) {
            return -1;
        }
        Block block = BlockFactory.of(array);
        if (block.bytes() < Block.LEAST_WITHIN) {
            return -1;
        }
        beside.add(block);
        return beside.size() - 1;
    }

    /** Takes the written bytes as a block, which owns the buffer from now on. */
    Block takeAsBlock() {
        Block taken = BlockFactory.ofObjects(buffer, position);
        setBuffer(new byte[1 << 10], Header.CALL_LIMIT);
        return taken;
    }

    /** Empties it for the next value; a large buffer is not kept. */
    void clear() {
        reset();
        begin(null);
        if (buffer.length > KEPT) {
            setBuffer(new byte[1 << 10], Header.CALL_LIMIT);
        }
    }

    @Override
    public void writeString(@Nullable String text) {
        if (text == null) {
            writeVarInt(0, true);
            return;
        }
        boolean wide = Strings.isWide(text);
        writeVarInt(Strings.header(text, wide), true);
        writeBytes(wide ? Strings.wideBytes(text) : text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void writeAscii(@Nullable String text) {
        writeString(text);
    }

    @Override
    public void writeBooleans(boolean[] array, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            writeByte(array[i] ? 1 : 0);
        }
    }

    @Override
    public void writeShorts(short[] array, int offset, int count) {
        bulk(count, 2).asShortBuffer().put(array, offset, count);
    }

    @Override
    public void writeChars(char[] array, int offset, int count) {
        bulk(count, 2).asCharBuffer().put(array, offset, count);
    }

    @Override
    public void writeInts(int[] array, int offset, int count) {
        bulk(count, 4).asIntBuffer().put(array, offset, count);
    }

    @Override
    public void writeInts(int[] array, int offset, int count, boolean optimizePositive) {
        writeInts(array, offset, count);
    }

    @Override
    public void writeLongs(long[] array, int offset, int count) {
        bulk(count, 8).asLongBuffer().put(array, offset, count);
    }

    @Override
    public void writeLongs(long[] array, int offset, int count, boolean optimizePositive) {
        writeLongs(array, offset, count);
    }

    @Override
    public void writeFloats(float[] array, int offset, int count) {
        bulk(count, 4).asFloatBuffer().put(array, offset, count);
    }

    @Override
    public void writeDoubles(double[] array, int offset, int count) {
        bulk(count, 8).asDoubleBuffer().put(array, offset, count);
    }

    private ByteBuffer bulk(int count, int size) {
        int bytes = Math.multiplyExact(count, size);
        require(bytes);
        ByteBuffer view = ByteBuffer.wrap(buffer, position, bytes).order(ByteOrder.LITTLE_ENDIAN);
        position += bytes;
        return view;
    }
}
