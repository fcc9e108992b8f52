package dev.cleave.client;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one stub were written with, kept for those that follow: at most {@value #EACH} for each method, chosen by
 * thread, so that two threads rarely want the same. Thread-safe.
 *
 * @param <T> what they are written with
 */
final class SpareCalls<T> {

    private static final int EACH = 4; // a power of two

    private final AtomicReferenceArray<@Nullable T> spare;

    SpareCalls(int methods) {
        spare = new AtomicReferenceArray<>(methods * EACH);
    }

    /** Takes one of the method with an index, which nobody else has; null if there is none. */
    @Nullable
    T take(int index) {
        int place = place(index);
        return spare.getPlain(place) == null ? null : spare.getAndSet(place, null);
    }

    /** Gives one back. */
    void put(int index, T call) {
        spare.setRelease(place(index), call);
    }

    private static int place(int index) {
        return index * EACH + ((int) Thread.currentThread().getId() & EACH - 1);
    }
}
