package dev.cleave.ref;

import dev.cleave.Ref;
import org.jspecify.annotations.Nullable;

/** A reference to a value of this node. */
record LocalRef<T extends @Nullable Object>(StoredValue stored) implements Ref<T> {

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // only the value that was put is stored; its type T decides whether it may be null
    public T get() {
        return (T) stored.get();
    }

    @Override
    public void free() {
        stored.free();
    }

    @Override
    public String toString() {
        return "Ref of a value here";
    }
}
