package dev.cleave.serial;

import com.esotericsoftware.kryo.io.Output;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Kryo's output with the strings and primitive arrays that {@link BoundedInput} reads. */
final class PlainOutput extends Output {

    private static final int KEPT = 1 << 16;

    PlainOutput() {
        super(1 << 10, -1);
    }

    /** Empties it for the next value; a large buffer is not kept. */
    void clear() {
        reset();
        if (buffer.length > KEPT) {
            setBuffer(new byte[1 << 10], -1);
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
