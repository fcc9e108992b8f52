package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import java.lang.ref.Cleaner;
import java.lang.reflect.Array;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of this node that have references. The values that peers have put here take at most a bound of bytes,
 * all together; those of the program are not counted. Thread-safe.
 */
final class Stock implements StoredValue.Maker {

    private final long most;
    private final AtomicLong taken = new AtomicLong();
    private final Consumer<StoredValue> whenFreed;

    /** Holds the cleaner, whose thread starts with the first value of a peer. */
    private static final class Cleaning {

        static final Cleaner CLEANER = Cleaner.create();
    }

    /** Creates a stock whose values of peers take at most {@code most} bytes. */
    Stock(long most, Consumer<StoredValue> whenFreed) {
        this.most = most;
        this.whenFreed = requireNonNull(whenFreed, "whenFreed");
    }

    /** Keeps a value of the program. */
    StoredValue own(@Nullable Object value) {
        return new StoredValue(value, this, null);
    }

    /** The bytes that values of peers take now. */
    long taken() {
        return taken.get();
    }

    @Override
    public void freed(StoredValue value) {
        whenFreed.accept(value);
    }

    /**
     * Makes an array for a peer.
     *
     * @param type the name of its class
     * @throws IllegalArgumentException if that is no array of primitives, or the size is negative
     * @throws IllegalStateException if there is no room for it
     */
    @Override
    public Ref<Object> created(String type, int size) {
        Class<?> component = component(type);
        checkSize(size);
        StoredBytes share = new StoredBytes(taken, most);
        share.resize(StoredBytes.of(component, size));
        return of(Array.newInstance(component, size), share);
    }

    /**
     * Keeps a value of a peer.
     *
     * @throws IllegalArgumentException if its size is not known
     * @throws IllegalStateException if there is no room for it
     */
    @Override
    public Ref<Object> put(Object value) {
        StoredBytes share = new StoredBytes(taken, most);
        share.resize(StoredBytes.of(value));
        return of(value, share);
    }

    private Ref<Object> of(Object value, StoredBytes share) {
        StoredValue stored = new StoredValue(value, this, share);
        Cleaning.CLEANER.register(stored, share::release);
        return new LocalRef<>(stored);
    }

    /** Makes an array of primitives. */
    static <T> T array(Class<T> type, int size) {
        checkSize(size);
        return type.cast(Array.newInstance(component(type.getName()), size));
    }

    private static void checkSize(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("size: " + size + " (expected: 0 or more)");
        }
    }

    private static Class<?> component(String type) {
        return switch (type) {
            case "[Z" -> boolean.class;
            case "[B" -> byte.class;
            case "[C" -> char.class;
            case "[S" -> short.class;
            case "[I" -> int.class;
            case "[J" -> long.class;
            case "[F" -> float.class;
            case "[D" -> double.class;
            default -> throw new IllegalArgumentException("type: " + type + " (expected: an array of primitives)");
        };
    }
}
