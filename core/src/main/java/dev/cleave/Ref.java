package dev.cleave;

import org.jspecify.annotations.Nullable;

/**
 * A reference to a value that stays in its owner, the node that has put it.
 *
 * <p>Travels as an argument or result of a remote method, wherever a signature names {@code Ref<T>}, and takes a few
 * bytes however large the value is. The value is kept while its owner or any other node holds a {@code Ref} of it, and
 * until it is freed. Safe for use by any thread; two are equal if they refer to the same value.
 *
 * @param <T> the type of the value, whose types must be allowed like those of an argument
 */
public interface Ref<T extends @Nullable Object> extends AutoCloseable {

    /**
     * Returns the value: in its owner the object itself, in another node a copy of its present state.
     *
     * @throws NoSuchReferenceException if it has been freed
     * @throws ConnectionLostException if its owner is gone
     * @throws CallException if the call that fetches it fails otherwise
     */
    T get();

    /** Frees the value for all nodes that hold it; does nothing if it is freed already or its owner is gone. */
    void free();

    /** Frees the value, as {@link #free} does. */
    @Override
    default void close() {
        free();
    }
}
