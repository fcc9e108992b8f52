package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import java.lang.ref.Cleaner;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of this node that have references. The values that peers have put here take at most a bound of bytes,
 * all together; those of the program are not counted. Thread-safe.
 */
final class Stock {

    private static final long OBJECT_BYTES = 16;

    private final long most;
    private final AtomicLong taken = new AtomicLong();
    private final Consumer<StoredValue> whenFreed;

    /** Holds the cleaner, whose thread starts with the first value of a peer. */
    private static final class Cleaning {

        static final Cleaner CLEANER = Cleaner.create();
    }

    /** The bytes that one value takes of the bound. */
    static final class Share {

        private final Stock stock;
        private final AtomicLong bytes = new AtomicLong();

        private Share(Stock stock) {
            this.stock = stock;
        }

        /**
         * Changes the bytes of the value.
         *
         * @throws IllegalStateException if there is no room for more
         */
        void resize(long to) {
            long more = to - bytes.get();
            long now = stock.taken.addAndGet(more);
            if (more > 0 && now > stock.most) {
                stock.taken.addAndGet(-more);
                throw new IllegalStateException("no room for " + to + " bytes: values that other nodes have put here take "
                        + (now - more) + " of " + stock.most + " bytes (free some, or put them elsewhere)");
            }
            bytes.addAndGet(more);
        }

        void release() {
            stock.taken.addAndGet(-bytes.getAndSet(0));
        }
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

    void freed(StoredValue value) {
        whenFreed.accept(value);
    }

    /**
     * Makes an array for a peer.
     *
     * @param type the name of its class
     * @throws IllegalArgumentException if that is no array of primitives, or the size is negative
     * @throws IllegalStateException if there is no room for it
     */
    Ref<Object> created(String type, int size) {
        Class<?> component = component(type);
        checkSize(size);
        Share share = new Share(this);
        share.resize(OBJECT_BYTES + size * elementBytes(component));
        return of(Array.newInstance(component, size), share);
    }

    /**
     * Keeps a value of a peer.
     *
     * @throws IllegalArgumentException if its size is not known
     * @throws IllegalStateException if there is no room for it
     */
    Ref<Object> put(Object value) {
        Share share = new Share(this);
        share.resize(bytes(value));
        return of(value, share);
    }

    private Ref<Object> of(Object value, Share share) {
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

    private static long elementBytes(Class<?> primitive) {
        return switch (primitive.getName()) {
            case "boolean", "byte" -> 1;
            case "char", "short" -> 2;
            case "int", "float" -> 4;
            default -> 8;
        };
    }

    /**
     * The bytes that a value takes.
     *
     * @throws IllegalArgumentException if it is not an array of primitives, a string, or an array of these
     */
    static long bytes(@Nullable Object value) {
        if (value == null) {
            return OBJECT_BYTES;
        }
        Class<?> component = value.getClass().getComponentType();
        if (value instanceof String text) {
            return OBJECT_BYTES + 2L * text.length();
        } else if (component == null) {
            throw new IllegalArgumentException(value.getClass().getName()
                    + " cannot be put into another node (expected: an array of primitives, a string, or an array of"
                    + " these; call a method that takes the value and returns node.put(value))");
        } else if (component.isPrimitive()) {
            return OBJECT_BYTES + Array.getLength(value) * elementBytes(component);
        }
        @Nullable Object[] elements = (@Nullable Object[]) value;
        return Arrays.stream(elements).mapToLong(Stock::bytes).sum() + 2 * OBJECT_BYTES;
    }
}
