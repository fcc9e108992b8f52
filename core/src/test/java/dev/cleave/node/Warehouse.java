package dev.cleave.node;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.util.List;
import java.util.Map;

/** A remote interface with large values. */
@Remote
interface Warehouse {

    record Crate(String label, double[] values, int[][] rows, List<byte[]> parts) {}

    /** Arrays of each kind, a string and an object; returns what it got. */
    Map<String, Object> all(
            boolean[] booleans,
            byte[] bytes,
            char[] chars,
            short[] shorts,
            String text,
            int[] ints,
            long[] longs,
            float[] floats,
            double[] doubles,
            Crate crate);

    double[] doubled(double[] values);

    long sum(byte[] bytes);

    Crate crate(Crate crate);

    String text(String text);

    int small(int value);

    /** Waits until the test lets it go on. */
    byte[] held(byte[] bytes) throws InterruptedException;

    @Async(group = "log")
    int append(int number, byte[] bytes);
}
