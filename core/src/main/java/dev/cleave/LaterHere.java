package dev.cleave;

import java.lang.reflect.Array;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link Later.Value} that has arrived completely. */
record LaterHere<T extends @Nullable Object>(T value) implements Later.Value<T> {

    @Override
    public T get() {
        return value;
    }

    @Override
    public T get(Duration atMost) {
        return value;
    }

    @Override
    public T begun() {
        return value;
    }

    @Override
    public int received() {
        return isArray() ? Array.getLength(value) : 0;
    }

    @Override
    public int await(int index) {
        return received();
    }

    @Override
    public boolean isHere() {
        return true;
    }

    @Override
    public void onArrival(Runnable task) {
        task.run();
    }

    /**
     * Says whether the value is of a kind that arrives in parts: an array of primitives, or an array of such arrays.
     */
    private boolean isArray() {
        Class<?> element = value == null ? null : value.getClass().getComponentType();
        return element != null
                && (element.isPrimitive()
                        || element.isArray() && element.getComponentType().isPrimitive());
    }
}
