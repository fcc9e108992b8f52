package dev.cleave.jmh.bench.bare;

import java.nio.ByteBuffer;

/** An array whose elements come in parts of any size. Of one thread. */
final class ArrayInFlight {

    private final double[] values;
    private int filled;

    ArrayInFlight(int count) {
        values = new double[count];
    }

    /** Takes the elements that have come whole; says whether the array is complete. */
    boolean fill(ByteBuffer in) {
        int count = Math.min(values.length - filled, in.remaining() / Double.BYTES);
        in.slice().order(in.order()).asDoubleBuffer().get(values, filled, count);
        in.position(in.position() + count * Double.BYTES);
        filled += count;
        return filled == values.length;
    }

    double[] values() {
        return values;
    }
}
