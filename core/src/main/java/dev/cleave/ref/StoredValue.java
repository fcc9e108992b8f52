package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.NoSuchReferenceException;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A value that has references, in its own node. */
final class StoredValue {

    private final Consumer<StoredValue> whenFreed;
    private final @Nullable StoredBytes share; // the bytes of peers; null if the program has put the value here
    private @Nullable Object value; // guarded by this
    private boolean freed; // guarded by this
    private volatile boolean isUsedHere;

    StoredValue(@Nullable Object value, Consumer<StoredValue> whenFreed, @Nullable StoredBytes share) {
        this.value = value;
        this.whenFreed = requireNonNull(whenFreed, "whenFreed");
        this.share = share;
    }

    /** A value that has been freed. */
    static StoredValue gone(Consumer<StoredValue> whenFreed) {
        StoredValue gone = new StoredValue(null, whenFreed, null);
        gone.freed = true;
        return gone;
    }

    /** Records that the program of this node uses the value. */
    void isUsedHere() {
        isUsedHere = true;
    }

    /** Handles that no peer holds the value any more: nothing is left of what peers alone have used. */
    void left() {
        if (share != null && !isUsedHere) {
            free();
        }
    }

    /** The value. */
    synchronized @Nullable Object get() {
        return present("get");
    }

    /** Replaces the value. */
    synchronized void set(@Nullable Object next) {
        Object before = present("set");
        if (before != null && before.getClass().isArray() && (next == null || next.getClass() != before.getClass())) {
            throw new IllegalArgumentException("Ref.set: "
                    + (next == null ? "null" : next.getClass().getSimpleName()) + " (expected: "
                    + before.getClass().getSimpleName() + ", as the value that it replaces)");
        }
        if (share != null) {
            share.resize(StoredBytes.of(next));
        }
        value = next;
    }

    /** The length of the array. */
    synchronized int length() {
        return Array.getLength(array("length"));
    }

    /** A copy of a range of the array. */
    synchronized Object read(int from, int to) {
        Object array = array("read");
        Objects.checkFromToIndex(from, to, Array.getLength(array));
        Object copy = Array.newInstance(array.getClass().getComponentType(), to - from);
        System.arraycopy(array, from, copy, 0, to - from);
        return copy;
    }

    /** Copies elements into the array. */
    synchronized void write(int at, Object elements) {
        Object array = array("write");
        if (elements.getClass() != array.getClass()) {
            throw new IllegalArgumentException(
                    "Ref.write: " + elements.getClass().getSimpleName() + " (expected: "
                            + array.getClass().getSimpleName() + ", as the value)");
        }
        Objects.checkFromIndexSize(at, Array.getLength(elements), Array.getLength(array));
        System.arraycopy(elements, 0, array, at, Array.getLength(elements));
    }

    /** Frees the value. */
    void free() {
        synchronized (this) {
            freed = true;
            value = null;
        }
        if (share != null) {
            share.release();
        }
        whenFreed.accept(this);
    }

    private Object array(String method) {
        Object present = present(method);
        if (present == null || !present.getClass().isArray()) {
            throw new IllegalStateException("Ref." + method + ": the value is "
                    + (present == null ? "null" : present.getClass().getName()) + " (expected: an array)");
        }
        return present;
    }

    private synchronized @Nullable Object present(String method) {
        if (freed) {
            throw new NoSuchReferenceException(
                    "Ref." + method + ": the value has been freed",
                    CallException.Execution.NOT_EXECUTED,
                    new CallSite("~ref", "Ref." + method, null, true),
                    null);
        }
        return value;
    }
}
