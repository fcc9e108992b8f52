package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.MemoryBounds;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The bytes that one value of a peer takes of the bound for all. Thread-safe. */
final class StoredBytes {

    private static final long OBJECT = 16;

    private final AtomicLong taken;
    private final long most;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Creates the account of a value, which is empty.
     *
     * @param taken the bytes of all values
     * @param most what they may take together
     */
    StoredBytes(AtomicLong taken, long most) {
        this.taken = requireNonNull(taken, "taken");
        this.most = most;
    }

    /**
     * Changes the bytes of the value.
     *
     * @throws IllegalStateException if there is no room for more
     */
    void resize(long to) {
        long more = to - bytes.get();
        long now = taken.addAndGet(more);
        if (more > 0 && MemoryBounds.room(most, now - more) < more) {
            taken.addAndGet(-more);
            MemoryBounds.STORED.refused();
            throw new IllegalStateException("no room for " + to + " bytes: values that other nodes have put here take "
                    + (now - more) + " of " + most + " bytes (free some, or put them elsewhere)");
        }
        bytes.addAndGet(more);
        MemoryBounds.STORED.add(more);
    }

    void release() {
        long freed = bytes.getAndSet(0);
        taken.addAndGet(-freed);
        MemoryBounds.STORED.add(-freed);
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
