package dev.cleave.client;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the objects that wrote calls of one stub, for later calls: at most {@value #EACH} for each method, chosen by
 * thread, so that two threads rarely want the same one. Thread-safe.
 *
 * @param <T> the object that writes a call
 */
final class SpareCalls<T> {

    private static final int EACH = 4; // a power of two

    private final AtomicReferenceArray<@Nullable T> spare;

    SpareCalls(int methods) {
        spare = new AtomicReferenceArray<>(methods * EACH);
    }

    /** Takes an object of the method with an index, for the caller alone; null if there is none. */
    @Nullable
    T take(int index) {
        int place = place(index);
        return spare.getPlain(place) == null ? null : spare.getAndSet(place, null);
    }

    /** Gives an object back. */
    void put(int index, T call) {
        spare.setRelease(place(index), call);
    }

    private static int place(int index) {
        return index * EACH + ((int) Thread.currentThread().getId() & EACH - 1);
    }
}
