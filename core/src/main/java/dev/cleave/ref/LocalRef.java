package dev.cleave.ref;

import dev.cleave.Ref;
import org.jspecify.annotations.Nullable;

/** A reference to a value of this node. */
record LocalRef<T extends @Nullable Object>(StoredValue stored) implements Ref<T> {

    /** Creates a reference for the program of this node. */
    static <T extends @Nullable Object> Ref<T> of(StoredValue stored) {
        stored.isUsedHere();
        return new LocalRef<>(stored);
    }

    @Override
    // only values of the type T are stored; T decides whether they may be null
    @SuppressWarnings({"unchecked", "NullAway"})
    public T get() {
        return (T) stored.get();
    }

    @Override
    public void set(T value) {
        stored.set(value);
    }

    @Override
    public int length() {
        return stored.length();
    }

    @Override
    @SuppressWarnings("unchecked") // an array of the class of the value
    public T read(int from, int to) {
        return (T) stored.read(from, to);
    }

    @Override
    public void write(int at, T elements) {
        stored.write(at, requireElements(elements));
    }

    static Object requireElements(@Nullable Object elements) {
        if (elements == null) {
            throw new NullPointerException("elements");
        }
        return elements;
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
