package dev.cleave.rt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of results as they have arrived, for strands that come to them when the program may have changed them (R71). */
final class ResultCopies {

    private ResultCopies() {}

    /**
     * Returns a copy of an array of values or of a list; null for other objects, and for lists of classes that are not known, which strands do not
     * read.
     */
    static @Nullable Object of(@Nullable Object result) {
        if (result instanceof int[] array) {
            return array.clone();
        }
        if (result instanceof long[] array) {
            return array.clone();
        }
        if (result instanceof double[] array) {
            return array.clone();
        }
        if (result instanceof float[] array) {
            return array.clone();
        }
        if (result instanceof byte[] array) {
            return array.clone();
        }
        if (result instanceof char[] array) {
            return array.clone();
        }
        if (result instanceof short[] array) {
            return array.clone();
        }
        if (result instanceof boolean[] array) {
            return array.clone();
        }
        if (result instanceof Object[] array) {
            return array.clone();
        }
        return result instanceof List<?> list && PlainClasses.isPlain(list) ? new ArrayList<>(list) : null;
    }
}
