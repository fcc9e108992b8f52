package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import java.lang.ref.Cleaner;
import java.lang.reflect.Array;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of this node that have references. The values that peers have put here take at most a bound of bytes,
 * all together, and no peer takes all the room; those of the program are not counted. Thread-safe.
 */
final class Stock {

    private final StoredRoom room;
    private final Consumer<StoredValue> whenFreed;

    /** Holds the cleaner, whose thread starts with the first value of a peer. */
    private static final class Cleaning {

        static final Cleaner CLEANER = Cleaner.create();
    }

    /** Creates a stock whose values of peers take at most {@code most} bytes. */
    Stock(long most, Consumer<StoredValue> whenFreed) {
        room = new StoredRoom(most);
        this.whenFreed = requireNonNull(whenFreed, "whenFreed");
    }

    /** Keeps a value of the program. */
    StoredValue own(@Nullable Object value) {
        return new StoredValue(value, whenFreed, null);
    }

    /** Returns a reference to a value that has been freed. */
    LocalRef<Object> gone() {
        return new LocalRef<>(StoredValue.gone(whenFreed));
    }

    /** The room of values of peers. */
    StoredRoom room() {
        return room;
    }

    /**
     * Makes an array for a peer.
     *
     * @param type the name of its class
     * @param peer the share of the peer
     * @throws IllegalArgumentException if that is no array of primitives, or the size is negative
     * @throws IllegalStateException if there is no room for it
     */
    Ref<Object> created(String type, int size, StoredRoom.Share peer) {
        Class<?> component = component(type);
        checkSize(size);
        StoredBytes bytes = new StoredBytes(peer);
        bytes.resize(StoredBytes.of(component, size));
        return of(Array.newInstance(component, size), bytes);
    }

    /**
     * Keeps a value of a peer.
     *
     * @param peer the share of the peer
     * @throws IllegalArgumentException if its size is not known
     * @throws IllegalStateException if there is no room for it
     */
    Ref<Object> put(Object value, StoredRoom.Share peer) {
        StoredBytes bytes = new StoredBytes(peer);
        bytes.resize(StoredBytes.of(value));
        return of(value, bytes);
    }

    private Ref<Object> of(Object value, StoredBytes bytes) {
        StoredValue stored = new StoredValue(value, whenFreed, bytes);
        Cleaning.CLEANER.register(stored, bytes::release);
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
