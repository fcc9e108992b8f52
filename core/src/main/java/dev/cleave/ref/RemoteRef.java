package dev.cleave.ref;

import dev.cleave.ConnectionLostException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.Ref;
import org.jspecify.annotations.Nullable;

/** A reference to a value of another node, through a stub. */
record RemoteRef<T extends @Nullable Object>(Slot slot) implements Ref<T> {

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // as with any result, a wrong type shows where it is used
    public T get() {
        return (T) slot.get();
    }

    @Override
    public void set(T value) {
        slot.set(value);
    }

    @Override
    public int length() {
        return slot.length();
    }

    @Override
    @SuppressWarnings("unchecked") // as with any result, a wrong type shows where it is used
    public T read(int from, int to) {
        return (T) slot.read(from, to);
    }

    @Override
    public void write(int at, T elements) {
        slot.write(at, LocalRef.requireElements(elements));
    }

    @Override
    public void free() {
        try {
            slot.free();
        } catch (NoSuchReferenceException | ConnectionLostException gone) {
            // What is gone is free.
            assert gone != null;
        }
    }

    @Override
    public String toString() {
        return "Ref of " + slot;
    }
}
