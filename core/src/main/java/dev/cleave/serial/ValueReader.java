package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a {@link ValueWriter} has written, in the same order, then {@link #close}.
 *
 * <p>Of one thread. No array is allocated before its length is held against the bytes that remain.
 */
public final class ValueReader implements AutoCloseable {

    private final Codec codec;
    private final ByteBuf source;
    private final Names names;
    private @Nullable Session session;

    ValueReader(Codec codec, ByteBuf source, Names names) {
        this.codec = codec;
        this.source = requireNonNull(source, "source");
        this.names = requireNonNull(names, "names");
    }

    public boolean takeBoolean() {
        return need(1).readBoolean();
    }

    public byte takeByte() {
        return need(1).readByte();
    }

    public char takeChar() {
        return need(2).readChar();
    }

    public short takeShort() {
        return need(2).readShort();
    }

    public int takeInt() {
        return need(4).readInt();
    }

    public long takeLong() {
        return need(8).readLong();
    }

    public float takeFloat() {
        return need(4).readFloat();
    }

    public double takeDouble() {
        return need(8).readDouble();
    }

    public @Nullable String takeString() {
        int coded = takeInt();
        if (coded == 0) {
            return null;
        }
        boolean wide = (coded - 1 & 1) != 0;
        int length = coded - 1 >>> 1;
        byte[] bytes = new byte[checked(length, wide ? 2 : 1) * (wide ? 2 : 1)];
        source.readBytes(bytes);
        return wide ? Strings.wide(bytes, 0, length) : new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    public byte @Nullable [] takeBytes() {
        int length = length(1);
        if (length < 0) {
            return null;
        }
        byte[] array = new byte[length];
        source.readBytes(array);
        return array;
    }

    public boolean @Nullable [] takeBooleans() {
        int length = length(1);
        if (length < 0) {
            return null;
        }
        boolean[] array = new boolean[length];
        for (int i = 0; i < length; i++) {
            array[i] = source.readBoolean();
        }
        return array;
    }

    public char @Nullable [] takeChars() {
        int length = length(2);
        if (length < 0) {
            return null;
        }
        char[] array = new char[length];
        Bulk.read(source, 2 * length, b -> b.asCharBuffer().get(array));
        return array;
    }

    public short @Nullable [] takeShorts() {
        int length = length(2);
        if (length < 0) {
            return null;
        }
        short[] array = new short[length];
        Bulk.read(source, 2 * length, b -> b.asShortBuffer().get(array));
        return array;
    }

    public int @Nullable [] takeInts() {
        int length = length(4);
        if (length < 0) {
            return null;
        }
        int[] array = new int[length];
        Bulk.read(source, 4 * length, b -> b.asIntBuffer().get(array));
        return array;
    }

    public long @Nullable [] takeLongs() {
        int length = length(8);
        if (length < 0) {
            return null;
        }
        long[] array = new long[length];
        Bulk.read(source, 8 * length, b -> b.asLongBuffer().get(array));
        return array;
    }

    public float @Nullable [] takeFloats() {
        int length = length(4);
        if (length < 0) {
            return null;
        }
        float[] array = new float[length];
        Bulk.read(source, 4 * length, b -> b.asFloatBuffer().get(array));
        return array;
    }

    public double @Nullable [] takeDoubles() {
        int length = length(8);
        if (length < 0) {
            return null;
        }
        double[] array = new double[length];
        Bulk.read(source, 8 * length, b -> b.asDoubleBuffer().get(array));
        return array;
    }

    /** Reads any value; the objects come after all direct values. */
    public @Nullable Object takeObject() {
        try {
            if (session == null) {
                session = codec.acquire();
                byte[] bytes = new byte[source.readableBytes()];
                source.readBytes(bytes);
                session.read(bytes, 0, bytes.length, names);
            }
            return session.kryo.readClassAndObject(session.input);
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // user code: constructors, equals, hashCode
            throw SerialException.of(e, SerialException.Reason.MALFORMED, "value not readable");
        }
    }

    /** Says that all bytes have been read. */
    public boolean isAtEnd() {
        return !source.isReadable() && (session == null || session.input.position() == session.input.limit());
    }

    @Override
    public void close() {
        Session used = session;
        session = null;
        if (used != null) {
            codec.release(used);
        }
    }

    private ByteBuf need(int bytes) {
        if (source.readableBytes() < bytes) {
            throw SerialException.malformed(
                    "value of " + bytes + " bytes (expected: within the " + source.readableBytes() + " that remain)");
        }
        return source;
    }

    private int length(int size) {
        int length = takeInt();
        return length == -1 ? -1 : checked(length, size);
    }

    private int checked(int length, int size) {
        if (length < 0 || (long) length * size > source.readableBytes()) {
            throw SerialException.malformed("length: " + length + " elements of " + size
                    + " bytes (expected: within the " + source.readableBytes() + " bytes that remain)");
        }
        return length;
    }
}
