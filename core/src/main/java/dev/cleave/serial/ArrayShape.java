package dev.cleave.serial;

import dev.cleave.config.MemoryBounds;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The lengths of an array and its rows, from the outside in; -1 stands for null. Arrays that are made of received shapes
 * take at most a quarter of the heap, for all calls together.
 */
public final class ArrayShape {

    private static final long OBJECT_BYTES = 16;
    private static final AtomicLong TAKEN = new AtomicLong();

    private int[] lengths = new int[8];
    private int count;

    private ArrayShape() {}

    /** Returns the shape of an array of a declared class. */
    public static int[] of(@Nullable Object array, Class<?> type) {
        ArrayShape shape = new ArrayShape();
        shape.add(array, type);
        return Arrays.copyOf(shape.lengths, shape.count);
    }

    private void add(@Nullable Object array, Class<?> type) {
        if (count == lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        lengths[count++] = array == null ? -1 : Array.getLength(array);
        Class<?> component = type.getComponentType();
        if (array != null && component.isArray()) {
            for (Object row : (@Nullable Object[]) array) {
                add(row, component);
            }
        }
    }

    /**
     * Takes room for the arrays of a shape, which must be {@linkplain #release released}.
     *
     * @return the bytes that they take
     * @throws SerialException if there is no room
     */
    public static long reserve(int @Nullable [] shape) {
        long bytes = 0;
        if (shape != null) {
            for (int length : shape) {
                bytes += OBJECT_BYTES + Math.max(0, length) * 8L;
            }
        }
        long most = MemoryBounds.stored();
        if (TAKEN.addAndGet(bytes) > most) {
            TAKEN.addAndGet(-bytes);
            throw new SerialException(
                    SerialException.Reason.TOO_LARGE,
                    "no room for an @Out array of about " + bytes + " bytes (those of all calls take at most " + most
                            + ")",
                    null);
        }
        return bytes;
    }

    /** Gives room back. */
    public static void release(long bytes) {
        TAKEN.addAndGet(-bytes);
    }

    /**
     * Makes the array of a shape.
     *
     * @throws SerialException if the shape is none of an array of the class
     */
    public static @Nullable Object array(int @Nullable [] shape, Class<?> type) {
        if (shape == null) {
            throw SerialException.malformed("no shape of an array");
        }
        int[] next = {0};
        Object made = array(shape, next, type);
        if (next[0] != shape.length) {
            throw SerialException.malformed("a shape with more than one array");
        }
        return made;
    }

    private static @Nullable Object array(int[] shape, int[] next, Class<?> type) {
        if (next[0] >= shape.length) {
            throw SerialException.malformed("a shape without all its rows");
        }
        int length = shape[next[0]++];
        if (length < 0) {
            return null;
        }
        Class<?> component = type.getComponentType();
        if (component.isArray() && length > shape.length - next[0]) {
            throw SerialException.malformed("a shape without all its rows");
        }
        Object made = Array.newInstance(component, length);
        if (component.isArray()) {
            for (int i = 0; i < length; i++) {
                ((@Nullable Object[]) made)[i] = array(shape, next, component);
            }
        }
        return made;
    }
}
