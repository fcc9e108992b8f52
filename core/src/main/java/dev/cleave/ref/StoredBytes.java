package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The bytes that one value of a peer takes of its share. Thread-safe. */
final class StoredBytes {

    private static final long OBJECT = 16;

    private final StoredRoom.Share share;
    private final AtomicLong bytes = new AtomicLong();

    /** Creates the account of a value, which is empty. */
    StoredBytes(StoredRoom.Share share) {
        this.share = requireNonNull(share, "share");
    }

    /**
     * Changes the bytes of the value.
     *
     * @throws IllegalStateException if there is no room for more
     */
    void resize(long to) {
        long more = to - bytes.get();
        if (more > 0) {
            share.take(more, to);
        } else {
            share.giveBack(-more);
        }
        bytes.addAndGet(more);
    }

    void release() {
        share.giveBack(bytes.getAndSet(0));
    }

    /** The bytes of an array of primitives. */
    static long of(Class<?> component, int length) {
        return OBJECT + length * elementBytes(component);
    }

    /**
     * The bytes that a value takes.
     *
     * @throws IllegalArgumentException if it is not an array of primitives, a string, or an array of these
     */
    static long of(@Nullable Object value) {
        if (value == null) {
            return OBJECT;
        }
        Class<?> component = value.getClass().getComponentType();
        if (value instanceof String text) {
            return OBJECT + 2L * text.length();
        } else if (component == null) {
            throw new IllegalArgumentException(value.getClass().getName()
                    + " cannot be put into another node (expected: an array of primitives, a string, or an array of"
                    + " these; call a method that takes the value and returns node.put(value))");
        } else if (component.isPrimitive()) {
            return of(component, Array.getLength(value));
        }
        @Nullable Object[] elements = (@Nullable Object[]) value;
        return Arrays.stream(elements).mapToLong(StoredBytes::of).sum() + 2 * OBJECT;
    }

    private static long elementBytes(Class<?> primitive) {
        return switch (primitive.getName()) {
            case "boolean", "byte" -> 1;
            case "char", "short" -> 2;
            case "int", "float" -> 4;
            default -> 8;
        };
    }
}
