package dev.cleave.stream;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The large arrays that were arguments last, as far as the program still has them: contents are compared of those alone that are
 * arguments again. Thread-safe.
 */
final class RepeatedArrays {

    /** How many arrays are remembered. */
    static final int MOST = 32;

    private static final AtomicReferenceArray<@Nullable WeakReference<Object>> LAST = new AtomicReferenceArray<>(MOST);
    private static final AtomicLongArray LAST_OBJECTS = new AtomicLongArray(MOST);
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final int SAMPLE = 512; // bytes

    private RepeatedArrays() {}

    /** Whether an array has been an argument before; remembers it. */
    static boolean isRepeated(Object array) {
        for (int i = 0; i < MOST; i++) {
            WeakReference<Object> known = LAST.get(i);
            if (known != null && known.refersTo(array)) {
                return true;
            }
        }
        LAST.set(Math.floorMod(NEXT.getAndIncrement(), MOST), new WeakReference<>(array));
        return false;
    }

    /** Whether objects of a number of bytes may have been an argument before; remembers samples of them. */
    static boolean isRepeated(byte[] objects, int bytes) {
        long looks = bytes;
        for (int at : new int[] {0, bytes / 2, Math.max(0, bytes - SAMPLE)}) {
            for (int i = at; i < Math.min(bytes, at + SAMPLE); i++) {
                looks = looks * 31 + objects[i];
            }
        }
        for (int i = 0; i < MOST; i++) {
            if (LAST_OBJECTS.get(i) == looks) {
                return true;
            }
        }
        LAST_OBJECTS.set(Math.floorMod(NEXT.getAndIncrement(), MOST), looks);
        return false;
    }
}
