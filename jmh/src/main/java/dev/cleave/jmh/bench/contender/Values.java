package dev.cleave.jmh.bench.contender;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The values of the calls, and their bytes for middleware that moves bytes. Thread-safe. */
public final class Values {

    private static volatile double[] served = {};

    private Values() {}

    /** Returns the result of a server: an array of the requested length, which it keeps. */
    public static double[] served(int count) {
        double[] last = served;
        if (last.length != count) {
            last = filled(count);
            served = last;
        }
        return last;
    }

    /** A new array; the first is 1, the last 2. */
    public static double[] filled(int count) {
        double[] values = new double[count];
        values[0] = 1;
        values[count - 1] = 2;
        return values;
    }

    /** The sum of the first and the last. */
    public static double ends(double[] values) {
        return values[0] + values[values.length - 1];
    }

    /** The eight bytes of a number. */
    public static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    /** The number of eight bytes. */
    public static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    /** The bytes of an array, copied at once. */
    public static byte[] bytes(double[] values) {
        byte[] bytes = new byte[values.length * Double.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asDoubleBuffer().put(values);
        return bytes;
    }

    /** The array of bytes that are left in a buffer, copied at once. */
    public static double[] doubles(ByteBuffer bytes) {
        double[] values = new double[bytes.remaining() / Double.BYTES];
        bytes.slice().order(ByteOrder.nativeOrder()).asDoubleBuffer().get(values);
        return values;
    }
}
