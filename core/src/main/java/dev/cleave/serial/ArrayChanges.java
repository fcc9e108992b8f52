package dev.cleave.serial;

import java.lang.reflect.Array;
import java.util.Arrays;

/** The ranges in which two arrays of primitives differ. */
final class ArrayChanges {

    /** Ranges with fewer equal elements between them are one. */
    private static final int GAP = 16;

    private ArrayChanges() {}

    /** Returns the index and length of each range in which two arrays of one class and length differ. */
    static int[] between(Object before, Object after) {
        int length = Array.getLength(after);
        int[] ranges = new int[8];
        int count = 0;
        for (int from = mismatch(before, after, 0, length); from < length; ) {
            int end = from + 1;
            int next = end;
            while (next < length && (next = mismatch(before, after, end, length)) - end < GAP && next < length) {
                end = next + 1;
            }
            if (count + 2 > ranges.length) {
                ranges = Arrays.copyOf(ranges, 2 * count);
            }
            ranges[count++] = from;
            ranges[count++] = end - from;
            from = end < length ? mismatch(before, after, end, length) : length;
        }
        return Arrays.copyOf(ranges, count);
    }

    /** Returns the elements of some ranges, one behind the other. */
    static Object gather(Object from, int[] ranges) {
        int total = 0;
        for (int i = 1; i < ranges.length; i += 2) {
            total += ranges[i];
        }
        Object all = Array.newInstance(from.getClass().getComponentType(), total);
        int at = 0;
        for (int i = 0; i < ranges.length; i += 2) {
            System.arraycopy(from, ranges[i], all, at, ranges[i + 1]);
            at += ranges[i + 1];
        }
        return all;
    }

    /** Copies gathered elements into their ranges. */
    static void scatter(Object all, int[] ranges, Object to) {
        int at = 0;
        for (int i = 0; i < ranges.length; i += 2) {
            System.arraycopy(all, at, to, ranges[i], ranges[i + 1]);
            at += ranges[i + 1];
        }
    }

    /** Returns the first index from which on two arrays differ; the length if they do not. */
    private static int mismatch(Object a, Object b, int from, int length) {
        int found;
        if (a instanceof double[] x) {
            found = Arrays.mismatch(x, from, length, (double[]) b, from, length);
        } else if (a instanceof float[] x) {
            found = Arrays.mismatch(x, from, length, (float[]) b, from, length);
        } else if (a instanceof long[] x) {
            found = Arrays.mismatch(x, from, length, (long[]) b, from, length);
        } else if (a instanceof int[] x) {
            found = Arrays.mismatch(x, from, length, (int[]) b, from, length);
        } else if (a instanceof short[] x) {
            found = Arrays.mismatch(x, from, length, (short[]) b, from, length);
        } else if (a instanceof char[] x) {
            found = Arrays.mismatch(x, from, length, (char[]) b, from, length);
        } else if (a instanceof byte[] x) {
            found = Arrays.mismatch(x, from, length, (byte[]) b, from, length);
        } else {
            found = Arrays.mismatch((boolean[]) a, from, length, (boolean[]) b, from, length);
        }
        return found < 0 ? length : from + found;
    }
}
