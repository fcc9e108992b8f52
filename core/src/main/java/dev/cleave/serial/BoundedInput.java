package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Kryo's input that allocates nothing larger than the bytes that are there: each length is checked against the
 * remaining bytes before the array is made. Strings and primitive arrays have a form of our own.
 */
final class BoundedInput extends Input {

    private ReceivedBlocks blocks = ReceivedBlocks.none();
    private final HashWork work;
    private final SharedParts shared = new SharedParts();
    private long claimed; // the least number of bytes that the announced elements take
    private int skipping; // how many objects around the next one are dropped
    private @Nullable Shape expected; // the declared type of the next object; null if its codec has taken it

    private final Predicate<Class<?>> allowed;

    /**
     * Creates an input for objects of allowed classes.
     *
     * @param work the budget of hashing and comparing
     */
    BoundedInput(Predicate<Class<?>> allowed, HashWork work) {
        super(new byte[0]);
        this.allowed = allowed;
        this.work = work;
    }

    /** Begins with other bytes. {@code units} of {@link HashWork} are allowed in addition to those for the bytes. */
    void begin(byte[] bytes, ReceivedBlocks beside, long units) {
        setBuffer(bytes, 0, bytes.length);
        blocks = beside;
        claimed = 0;
        skipping = 0;
        expected = null;
        shared.clear();
        work.begin(bytes.length, units);
    }

    /** The budget of hashing and comparing. */
    HashWork work() {
        return work;
    }

    /** Reads a part of an object and checks that it has the declared type. */
    @Nullable
    Object read(Kryo kryo, Shape declared) {
        expected = declared;
        work.reads();
        Object read = kryo.readClassAndObject(this);
        boolean isSkipped = skipping > 0 && read instanceof Skipped;
        if (read != null && declared != Shape.ANYTHING && !declared.isExactly(read.getClass()) && !isSkipped) {
            checked(read, declared);
        }
        return read;
    }

    /** Reads over an object, which may be of a class that is not known here. */
    void skip(Kryo kryo) {
        skipping++;
        try {
            read(kryo, Shape.ANYTHING);
        } finally {
            skipping--;
        }
    }

    /** The first object among some of a dropped object that was skipped; null if all are known here. */
    @Nullable
    Skipped skipped(@Nullable Object[] read) {
        return skipping > 0 ? Skipped.among(read) : null;
    }

    /** Whether the object that is being read will be dropped. */
    boolean isSkipping() {
        return skipping > 0;
    }

    /** Reads an object that is not part of another one. */
    @Nullable
    Object readWhole(Kryo kryo, Declared declared) {
        try {
            expected = declared.shape();
            Object read = kryo.readClassAndObject(this);
            if (read != null && !(read instanceof Placeholder)) {
                checked(read, declared.shape());
            }
            shared.check(work, allowed);
            return read;
        } catch (Mismatch e) {
            throw e.refusal(declared.place());
        } catch (SerialException e) {
            throw e.at(declared.place());
        }
    }

    private void checked(Object read, Shape declared) {
        declared.check(read);
        if (expected == declared && !declared.isPlain()) { // no codec has taken the type, so the object was read before
            shared.add(read, declared);
        }
    }

    /** The declared type of the object that is being read. Its codec calls this before it reads any part. */
    Shape expected() {
        Shape known = expected;
        expected = null;
        return known == null ? Shape.ANYTHING : known;
    }

    /** Returns an array that has arrived as a block. */
    Object block(long index, ValueKind kind) {
        return blocks.take((int) Math.min(index, Integer.MAX_VALUE), kind);
    }

    /** The blocks that have arrived, or are still arriving. */
    ReceivedBlocks blocks() {
        return blocks;
    }

    /** Throws unless {@code length} elements of at least {@code size} bytes each can be in the remaining bytes. */
    int checked(int length, int size) {
        if (length < 0 || (long) length * size > limit - position) {
            throw SerialException.malformed("length: " + length + " elements of " + size
                    + " bytes (expected: within the " + (limit - position) + " bytes that remain)");
        }
        return length;
    }

    /**
     * Reads and checks the number of elements of an array or collection. Each element takes at least {@code size} bytes
     * of its own, so all numbers together cannot pass the input: nested arrays cannot claim the same bytes twice.
     */
    int size(int size) {
        int length = checked(readVarInt(true), size);
        claimed += (long) length * size;
        if (claimed > limit) {
            throw SerialException.malformed("elements announced: " + claimed + " bytes (expected: within the " + limit
                    + " bytes of the input)");
        }
        return length;
    }

    @Override
    public byte[] readBytes(int length) {
        return super.readBytes(checked(length, 1));
    }

    @Override
    public boolean[] readBooleans(int length) {
        boolean[] array = new boolean[checked(length, 1)];
        for (int i = 0; i < length; i++) {
            array[i] = readByte() != 0;
        }
        return array;
    }

    @Override
    public short[] readShorts(int length) {
        short[] array = new short[checked(length, 2)];
        bulk(length * 2).asShortBuffer().get(array);
        return array;
    }

    @Override
    public char[] readChars(int length) {
        char[] array = new char[checked(length, 2)];
        bulk(length * 2).asCharBuffer().get(array);
        return array;
    }

    @Override
    public int[] readInts(int length) {
        int[] array = new int[checked(length, 4)];
        bulk(length * 4).asIntBuffer().get(array);
        return array;
    }

    @Override
    public int[] readInts(int length, boolean optimizePositive) {
        return readInts(length);
    }

    @Override
    public long[] readLongs(int length) {
        long[] array = new long[checked(length, 8)];
        bulk(length * 8).asLongBuffer().get(array);
        return array;
    }

    @Override
    public long[] readLongs(int length, boolean optimizePositive) {
        return readLongs(length);
    }

    @Override
    public float[] readFloats(int length) {
        float[] array = new float[checked(length, 4)];
        bulk(length * 4).asFloatBuffer().get(array);
        return array;
    }

    @Override
    public double[] readDoubles(int length) {
        double[] array = new double[checked(length, 8)];
        bulk(length * 8).asDoubleBuffer().get(array);
        return array;
    }

    @Override
    @SuppressWarnings("NullAway") // Kryo's strings may be null
    public @Nullable String readString() {
        int coded = readVarInt(true);
        if (coded == 0) {
            return null;
        }
        boolean wide = (coded - 1 & 1) != 0;
        int length = checked(coded - 1 >>> 1, wide ? 2 : 1);
        String text = wide
                ? Strings.wide(buffer, position, length)
                : new String(buffer, position, length, java.nio.charset.StandardCharsets.ISO_8859_1);
        position += wide ? 2 * length : length;
        return text;
    }

    @Override
    @SuppressWarnings("NullAway") // Kryo's strings may be null
    public @Nullable StringBuilder readStringBuilder() {
        String text = readString();
        return text == null ? null : new StringBuilder(text);
    }

    private ByteBuffer bulk(int bytes) {
        ByteBuffer view = ByteBuffer.wrap(buffer, position, bytes).order(ByteOrder.LITTLE_ENDIAN);
        position += bytes;
        return view;
    }
}
