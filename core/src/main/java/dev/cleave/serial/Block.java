package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Blocks;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A large value that travels beside its frame: an array of primitives, little endian, moved part by part between the array
 * itself and buffers.
 *
 * <p>One that arrives has no array before its first bytes do. Of one thread at a time.
 */
public final class Block {

    /** The least bytes for which a value is a block: an argument or result. */
    static final int LEAST = 64 << 10;

    /** The least bytes for which an array within an object is one. */
    static final int LEAST_WITHIN = 16 << 10;

    /** From so many bytes on it takes an event thread too long to make the array. */
    private static final int LEAST_ELSEWHERE = 1 << 20;

    /** The most elements of an array. */
    private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

    private static final int OBJECTS = 'O';

    private final int kind; // of the elements: their descriptor; OBJECTS for what Kryo has written
    private final long bytes;
    private @Nullable Object array;

    private Block(int kind, long bytes, @Nullable Object array) {
        this.kind = kind;
        this.bytes = bytes;
        this.array = array;
    }

    /** An array as it is, or as it will be when it is read. */
    static Block of(Object array) {
        int kind = array.getClass().getComponentType().descriptorString().charAt(0);
        return new Block(kind, (long) Array.getLength(array) * size(kind), array);
    }

    /** The objects of a frame. */
    static Block ofObjects(byte[] bytes, int count) {
        return new Block(OBJECTS, count, bytes);
    }

    /**
     * A block that is to arrive.
     *
     * @throws SerialException if there cannot be such a one
     */
    public static Block arriving(Blocks announced) {
        int size = size(announced.kind());
        if (size == 0 || announced.bytes() % size != 0 || announced.bytes() / size > MOST_ELEMENTS) {
            throw SerialException.malformed("block of kind " + announced.kind() + " with " + announced.bytes()
                    + " bytes (expected: an array of primitives)");
        }
        return new Block(announced.kind(), announced.bytes(), null);
    }

    /** How it is announced. */
    public Blocks announcement() {
        return new Blocks(kind, bytes);
    }

    /** How many bytes it has. */
    public long bytes() {
        return bytes;
    }

    /** The bytes of one element. */
    public int elementSize() {
        return size(kind);
    }

    /** This with an array that nobody else has. */
    public Block copy() {
        return kind == OBJECTS ? this : new Block(kind, bytes, copied(requireNonNull(array)));
    }

    boolean isObjects() {
        return kind == OBJECTS;
    }

    /** Whether it is an array of that kind. */
    boolean isOf(ValueKind wanted) {
        return wanted.descriptor().equals("[" + (char) kind);
    }

    /** The array, which has arrived. */
    Object array() {
        return requireNonNull(array, "array");
    }

    /** Appends a part to a buffer. */
    public void read(long from, int count, ByteBuf to) {
        Object source = requireNonNull(array);
        int at = (int) (from / size(kind));
        int elements = count / size(kind);
        if (source instanceof byte[] array) {
            to.writeBytes(array, at, elements);
            return;
        }
        if (source instanceof boolean[] array) {
            for (int i = at; i < at + elements; i++) {
                to.writeBoolean(array[i]);
            }
            return;
        }
        to.ensureWritable(count);
        ByteBuffer view = to.internalNioBuffer(to.writerIndex(), count).order(ByteOrder.LITTLE_ENDIAN);
        switch (kind) {
            case 'C' -> view.asCharBuffer().put((char[]) source, at, elements);
            case 'S' -> view.asShortBuffer().put((short[]) source, at, elements);
            case 'I' -> view.asIntBuffer().put((int[]) source, at, elements);
            case 'J' -> view.asLongBuffer().put((long[]) source, at, elements);
            case 'F' -> view.asFloatBuffer().put((float[]) source, at, elements);
            case 'D' -> view.asDoubleBuffer().put((double[]) source, at, elements);
            default -> throw new AssertionError(kind);
        }
        to.writerIndex(to.writerIndex() + count);
    }

    /** Whether the array is so large that the event thread leaves it to another to {@link #make} it, which has not been done. */
    public boolean isMadeElsewhere() {
        return array == null && bytes >= LEAST_ELSEWHERE;
    }

    /** Makes the array. */
    public void make() {
        array = made(kind, (int) (bytes / size(kind)));
    }

    /** Takes a part from a buffer. */
    public void fill(long from, int count, ByteBuf source) {
        if (array == null) {
            make();
        }
        Object target = array();
        int at = (int) (from / size(kind));
        int elements = count / size(kind);
        if (target instanceof byte[] array) {
            source.readBytes(array, at, elements);
            return;
        }
        if (target instanceof boolean[] array) {
            for (int i = at; i < at + elements; i++) {
                array[i] = source.readBoolean();
            }
            return;
        }
        ByteBuffer view = source.internalNioBuffer(source.readerIndex(), count).order(ByteOrder.LITTLE_ENDIAN);
        switch (kind) {
            case 'C' -> view.asCharBuffer().get((char[]) target, at, elements);
            case 'S' -> view.asShortBuffer().get((short[]) target, at, elements);
            case 'I' -> view.asIntBuffer().get((int[]) target, at, elements);
            case 'J' -> view.asLongBuffer().get((long[]) target, at, elements);
            case 'F' -> view.asFloatBuffer().get((float[]) target, at, elements);
            case 'D' -> view.asDoubleBuffer().get((double[]) target, at, elements);
            default -> throw new AssertionError(kind);
        }
        source.skipBytes(count);
    }

    private static Object made(int kind, int elements) {
        return switch (kind) {
            case 'Z' -> new boolean[elements];
            case 'C' -> new char[elements];
            case 'S' -> new short[elements];
            case 'I' -> new int[elements];
            case 'J' -> new long[elements];
            case 'F' -> new float[elements];
            case 'D' -> new double[elements];
            default -> new byte[elements];
        };
    }

    private static Object copied(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    private static int size(int kind) {
        return switch (kind) {
            case 'Z', 'B', OBJECTS -> 1;
            case 'C', 'S' -> 2;
            case 'I', 'F' -> 4;
            case 'J', 'D' -> 8;
            default -> 0;
        };
    }
}
