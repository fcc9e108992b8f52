package dev.cleave.ref;

import dev.cleave.Idempotent;
import dev.cleave.ReadOnly;
import dev.cleave.Ref;
import dev.cleave.Remote;
import org.jspecify.annotations.Nullable;

/**
 * The interface through which the holders of a {@link Ref} use its value: the methods of {@code Ref}, and those that
 * put other values into the node of this one.
 */
@Remote
interface Slot {

    /** The value. */
    @ReadOnly
    @Nullable
    Object get();

    /** Replaces the value. */
    void set(@Nullable Object value);

    /** The length of the array. */
    @ReadOnly
    int length();

    /** A copy of a range of the array. */
    @ReadOnly
    Object read(int from, int to);

    /** Copies elements into the array. */
    void write(int at, Object elements);

    /** Frees the value. */
    @Idempotent
    void free();

    /** Makes an array in the same node; {@code type} is the name of its class. */
    Ref<Object> create(String type, int size);

    /** Puts a value into the same node. */
    Ref<Object> put(Object value);
}
