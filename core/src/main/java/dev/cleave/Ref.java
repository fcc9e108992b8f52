package dev.cleave;

import org.jspecify.annotations.Nullable;

/**
 * A reference to a value that stays in its owner, the node that has it.
 *
 * <p>Travels as an argument or result of a remote method, wherever a signature names {@code Ref<T>}, and takes a few
 * bytes however large the value is. The value is kept while its owner or any other node holds a {@code Ref} of it, and
 * until it is freed. Safe for use by any thread; two are equal if they refer to the same value.
 *
 * <p>Each method is one call of the owner, unless this node is the owner. Besides what it says, it throws a {@link
 * NoSuchReferenceException} if the value has been freed, a {@link ConnectionLostException} if the owner is gone, and
 * another {@link CallException} if the call fails otherwise.
 *
 * @param <T> the type of the value, whose types must be allowed like those of an argument
 */
public interface Ref<T extends @Nullable Object> extends AutoCloseable {

    /** Returns the value: in its owner the object itself, in another node a copy of its present state. */
    T get();

    /**
     * Replaces the value for all nodes that hold it: in its owner by the object itself, from another node by a copy.
     *
     * @throws IllegalArgumentException if the present value is an array, and the new one is not an array of its class
     */
    void set(T value);

    /**
     * Returns the number of elements of the value.
     *
     * @throws IllegalStateException if the value is not an array
     */
    int length();

    /**
     * Returns a copy of a range of the value.
     *
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return an array of {@code to - from} elements
     * @throws IllegalStateException if the value is not an array
     * @throws IndexOutOfBoundsException unless {@code 0 <= from <= to <= length()}
     */
    T read(int from, int to);

    /**
     * Copies elements into the value.
     *
     * @param at the index of the first element that is replaced
     * @param elements an array of the class of the value
     * @throws IllegalStateException if the value is not an array
     * @throws IndexOutOfBoundsException if the elements would not lie within the value; none is copied then
     */
    void write(int at, T elements);

    /** Frees the value for all nodes that hold it; does nothing if it is freed already or its owner is gone. */
    void free();

    /** Frees the value, as {@link #free} does. */
    @Override
    default void close() {
        free();
    }
}
