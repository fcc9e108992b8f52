package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.Later;
import dev.cleave.stream.StreamedValue;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that a {@link ValueWriter} has written, in the same order; then call {@link #close}.
 *
 * <p>Used by one thread. No array is allocated before its length is checked against the remaining bytes.
 */
public final class ValueReader implements AutoCloseable {

    private final Codec codec;
    private ByteBuf source;
    private AnnouncedNames names;
    private ReceivedBlocks blocks;
    private @Nullable KryoSession session;
    private ObjectFormat.@Nullable In formatted; // in the place of the session, if the interface has a format
    private List<Declared> expected = List.of(); // of the objects, in their order
    private int objects; // that have been read
    private TimeLimit limit = TimeLimit.NONE;
    private Map<Integer, @Nullable Object> supplied = Map.of(); // objects that are not in the source, by place

    ValueReader(Codec codec, ByteBuf source, AnnouncedNames names, ReceivedBlocks blocks) {
        this.codec = codec;
        this.blocks = blocks;
        this.source = requireNonNull(source, "source");
        this.names = requireNonNull(names, "names");
    }

    /** Whether it reads the values of a codec. */
    public boolean isOf(Codec of) {
        return codec == of;
    }

    /** Resets the reader to another source, after {@link #close}. */
    public ValueReader again(ByteBuf from, AnnouncedNames ofSource, ReceivedBlocks arrived) {
        source = from;
        names = ofSource;
        blocks = arrived;
        expected = List.of();
        objects = 0;
        limit = TimeLimit.NONE;
        supplied = Map.of();
        return this;
    }

    /**
     * Requires the objects to have the declared types; the list has one entry for each value that travels as an object.
     */
    public ValueReader expecting(List<Declared> declared) {
        expected = declared;
        return this;
    }

    /** Takes some objects from elsewhere, by their places among the objects; the source does not have them. */
    public ValueReader supplying(Map<Integer, @Nullable Object> objectsByPlace) {
        supplied = objectsByPlace;
        return this;
    }

    /** Ends with a {@link SerialException} when a time is over. */
    public ValueReader until(TimeLimit time) {
        limit = time;
        return this;
    }

    /** Reads a boolean. */
    public boolean takeBoolean() {
        return need(1).readBoolean();
    }

    /** Reads a byte. */
    public byte takeByte() {
        return need(1).readByte();
    }

    /** Reads a char. */
    public char takeChar() {
        return need(2).readChar();
    }

    /** Reads a short. */
    public short takeShort() {
        return need(2).readShort();
    }

    /** Reads an int. */
    public int takeInt() {
        return need(4).readInt();
    }

    /** Reads a long. */
    public long takeLong() {
        return need(8).readLong();
    }

    /** Reads a float. */
    public float takeFloat() {
        return need(4).readFloat();
    }

    /** Reads a double. */
    public double takeDouble() {
        return need(8).readDouble();
    }

    /** Reads a string or null. */
    public @Nullable String takeString() {
        int coded = takeInt();
        if (coded == 0) {
            return null;
        }
        if (coded < 0) {
            return followingString(-1 - coded);
        }
        boolean wide = (coded - 1 & 1) != 0;
        int length = coded - 1 >>> 1;
        byte[] bytes = new byte[checked(length, wide ? 2 : 1) * (wide ? 2 : 1)];
        source.readBytes(bytes);
        return wide ? Strings.wide(bytes, 0, length) : new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    /** Reads an array of bytes or null. */
    public byte @Nullable [] takeBytes() {
        int length = length(1);
        if (length < 0) {
            return (byte[]) following(length, ValueKind.BYTES);
        }
        byte[] array = new byte[length];
        source.readBytes(array);
        return array;
    }

    /** Reads an array of booleans or null. */
    public boolean @Nullable [] takeBooleans() {
        int length = length(1);
        if (length < 0) {
            return (boolean[]) following(length, ValueKind.BOOLEANS);
        }
        boolean[] array = new boolean[length];
        for (int i = 0; i < length; i++) {
            array[i] = source.readBoolean();
        }
        return array;
    }

    /** Reads an array of chars or null. */
    public char @Nullable [] takeChars() {
        int length = length(2);
        if (length < 0) {
            return (char[]) following(length, ValueKind.CHARS);
        }
        char[] array = new char[length];
        next(2 * length).asCharBuffer().get(array);
        return array;
    }

    /** Reads an array of shorts or null. */
    public short @Nullable [] takeShorts() {
        int length = length(2);
        if (length < 0) {
            return (short[]) following(length, ValueKind.SHORTS);
        }
        short[] array = new short[length];
        next(2 * length).asShortBuffer().get(array);
        return array;
    }

    /** Reads an array of ints or null. */
    public int @Nullable [] takeInts() {
        int length = length(4);
        if (length < 0) {
            return (int[]) following(length, ValueKind.INTS);
        }
        int[] array = new int[length];
        next(4 * length).asIntBuffer().get(array);
        return array;
    }

    /** Reads an array of longs or null. */
    public long @Nullable [] takeLongs() {
        int length = length(8);
        if (length < 0) {
            return (long[]) following(length, ValueKind.LONGS);
        }
        long[] array = new long[length];
        next(8 * length).asLongBuffer().get(array);
        return array;
    }

    /** Reads an array of floats or null. */
    public float @Nullable [] takeFloats() {
        int length = length(4);
        if (length < 0) {
            return (float[]) following(length, ValueKind.FLOATS);
        }
        float[] array = new float[length];
        next(4 * length).asFloatBuffer().get(array);
        return array;
    }

    /** Reads an array of doubles or null. */
    public double @Nullable [] takeDoubles() {
        int length = length(8);
        if (length < 0) {
            return (double[]) following(length, ValueKind.DOUBLES);
        }
        double[] array = new double[length];
        next(8 * length).asDoubleBuffer().get(array);
        return array;
    }

    /** Reads any value; the objects come after all direct values. Waits for a streamed value. */
    public @Nullable Object takeObject() {
        Object read = takeStreamed();
        return read instanceof StreamedValue value ? value.get() : read;
    }

    private @Nullable Object takeStreamed() {
        Later.Value<?> read = takeLater();
        return read == null || read instanceof StreamedValue ? read : read.get();
    }

    private Later.@Nullable Value<?> takeLater() {
        if (supplied.containsKey(objects)) {
            Object known = supplied.get(objects++);
            return known == null || known instanceof Later.Value<?> ? (Later.Value<?>) known : Later.Value.of(known);
        }
        try {
            ObjectFormat format = codec.format();
            if (format != null) {
                return takeFormatted(format);
            }
            if (session == null) {
                session = codec.acquire();
                session.read(objects(), names, blocks);
                session.input.work().until(limit);
            }
            Declared declared = objects < expected.size() ? expected.get(objects) : Declared.NOTHING;
            objects++;
            Object read = session.next(declared);
            return read instanceof Placeholder placeholder
                    ? codec.streamed(placeholder, blocks, names, 1, declared, limit)
                    : read == null ? null : Later.Value.of(read);
        } catch (Exception | Error e) { // user code: constructors, equals, hashCode
            throw SerialException.of(e, SerialException.Reason.MALFORMED, "value not readable");
        }
    }

    private Later.@Nullable Value<?> takeFormatted(ObjectFormat format) throws Exception {
        ObjectFormat.In in = formatted;
        if (in == null) {
            byte[] bytes = takeBytes();
            in = codec.formatted(format, bytes == null ? new byte[0] : bytes, names);
            formatted = in;
        }
        Object read = in.take();
        return read == null ? null : Later.Value.of(read);
    }

    /** Says that all bytes have been read. */
    public boolean isAtEnd() {
        return !source.isReadable()
                && blocks.isEmpty()
                && (formatted == null || formatted.isAtEnd())
                && (session == null || session.input.position() == session.input.limit());
    }

    @Override
    public void close() {
        KryoSession used = session;
        session = null;
        formatted = null;
        if (used != null) {
            codec.release(used);
        }
    }

    /** The next bytes; a view of their own, since other threads may read other frames of the buffer. */
    private ByteBuffer next(int bytes) {
        ByteBuffer view = source.nioBuffer(source.readerIndex(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        source.skipBytes(bytes);
        return view;
    }

    private ByteBuf need(int bytes) {
        if (source.readableBytes() < bytes) {
            throw SerialException.malformed(
                    "value of " + bytes + " bytes (expected: within the " + source.readableBytes() + " that remain)");
        }
        return source;
    }

    /** A length; negative for null and for an array that is a block. */
    private int length(int size) {
        int length = takeInt();
        return length < 0 ? length : checked(length, size);
    }

    private @Nullable Object following(int coded, ValueKind kind) {
        if (coded == -1) {
            return null;
        }
        int index = -2 - coded;
        return index < Placeholder.VALUES_AT
                ? blocks.take(index, kind)
                : blocks.takeArray(index - Placeholder.VALUES_AT, kind).get();
    }

    /** Reads a value as {@link #take}; returns a {@link StreamedValue} for a streamed one. */
    public @Nullable Object takeStreamed(ValueKind kind) {
        if (kind == ValueKind.OBJECT || kind.isPrimitive()) {
            return kind == ValueKind.OBJECT ? takeStreamed() : take(kind);
        }
        int coded = source.readableBytes() < Integer.BYTES ? 0 : source.getInt(source.readerIndex());
        int index = kind == ValueKind.STRING ? -1 - coded >>> 1 : -2 - coded;
        if (coded >= 0 || index < Placeholder.VALUES_AT) {
            return take(kind);
        }
        source.skipBytes(Integer.BYTES);
        int number = index - Placeholder.VALUES_AT;
        if (kind != ValueKind.STRING) {
            return blocks.takeArray(number, kind);
        }
        StreamedValue value = blocks.takeArray(number, ValueKind.BYTES);
        boolean wide = (-1 - coded & 1) != 0;
        value.decodedBy(
                owner -> text((byte[]) requireNonNull(value.blocks().get(0).array()), wide));
        return value;
    }

    /** Reads a value as {@link #takeStreamed}, as a {@link Later.Value}; returns null if null was sent. */
    public Later.@Nullable Value<?> takeLater(ValueKind kind) {
        if (kind == ValueKind.OBJECT) {
            return takeLater();
        }
        Object read = takeStreamed(kind);
        return read == null ? null : read instanceof StreamedValue value ? value : Later.Value.of(read);
    }

    /** Reads a value of a kind. */
    public @Nullable Object take(ValueKind kind) {
        return switch (kind) {
            case BOOLEAN -> takeBoolean();
            case BYTE -> takeByte();
            case CHAR -> takeChar();
            case SHORT -> takeShort();
            case INT -> takeInt();
            case LONG -> takeLong();
            case FLOAT -> takeFloat();
            case DOUBLE -> takeDouble();
            case STRING -> takeString();
            case BOOLEANS -> takeBooleans();
            case BYTES -> takeBytes();
            case CHARS -> takeChars();
            case SHORTS -> takeShorts();
            case INTS -> takeInts();
            case LONGS -> takeLongs();
            case FLOATS -> takeFloats();
            case DOUBLES -> takeDoubles();
            case OBJECT -> takeObject();
        };
    }

    private String followingString(int coded) {
        byte[] bytes = (byte[]) requireNonNull(following(-2 - (coded >>> 1), ValueKind.BYTES));
        return text(bytes, (coded & 1) != 0);
    }

    private static String text(byte[] bytes, boolean wide) {
        return wide
                ? Strings.wide(bytes, 0, bytes.length / 2)
                : new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private byte[] objects() {
        if (blocks.hasObjects()) {
            return blocks.takeObjects();
        }
        byte[] bytes = new byte[source.readableBytes()];
        source.readBytes(bytes);
        return bytes;
    }

    private int checked(int length, int size) {
        if (length < 0 || (long) length * size > source.readableBytes()) {
            throw SerialException.malformed("length: " + length + " elements of " + size
                    + " bytes (expected: within the " + source.readableBytes() + " bytes that remain)");
        }
        return length;
    }
}
