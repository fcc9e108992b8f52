package dev.cleave.replica;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Hashes of keys that are the same in every process. */
public final class Keys {

    private Keys() {}

    /**
     * Returns the hash of a key: the hash of its text for texts, numbers and the like, of the elements for arrays and
     * collections, and the {@code hashCode} of other objects, which must be the same in every process, as that of
     * records of such values is. Returns 0 if the key throws; never throws itself.
     */
    public static long hash(@Nullable Object key) {
        try {
            return hashed(key);
        } catch (RuntimeException | Error e) { // user code: the call is placed without its key
            return 0;
        }
    }

    private static long hashed(@Nullable Object key) {
        if (key == null) {
            return 0;
        } else if (key instanceof Enum<?> constant) {
            return text(constant.name());
        } else if (key instanceof CharSequence
                || key instanceof Number
                || key instanceof Character
                || key instanceof Boolean) {
            return text(key.toString());
        } else if (key instanceof byte[] bytes) {
            long hash = bytes.length;
            for (byte each : bytes) {
                hash = 31 * hash + each;
            }
            return mix(hash);
        } else if (key instanceof Object[] array) {
            return all(java.util.Arrays.asList(array));
        } else if (key instanceof Collection<?> elements) {
            return all(elements);
        }
        return mix(key.hashCode());
    }

    /** Spreads bits: the end of SplitMix64. */
    static long mix(long bits) {
        long z = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    private static long all(Collection<?> elements) {
        long hash = elements.size();
        for (Object element : elements) {
            hash = 31 * hash + hashed(element);
        }
        return mix(hash);
    }

    private static long text(String text) {
        long hash = 0xcbf29ce484222325L; // FNV-1a
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return mix(hash);
    }
}
