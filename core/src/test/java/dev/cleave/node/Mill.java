package dev.cleave.node;

import dev.cleave.Later;
import dev.cleave.Remote;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** A remote interface whose arguments come later. */
@Remote
interface Mill {

    record Grain(String kind, double[] weights) {}

    /** Its parts are later, it is not. */
    record Sheet(String name, List<Line> lines, Later.Value<String> note) {}

    record Line(Later.Value<int[]> cells) {}

    /** Its array is marked, but what it is declared as cannot be used while it arrives. */
    final class Marked {
        @Later
        int[] values;
    }

    /** Arguments of each kind, all later; returns what it got. */
    Map<String, Object> all(
            String name,
            @Later boolean[] booleans,
            @Later byte[] bytes,
            @Later char[] chars,
            @Later short[] shorts,
            @Later int[] ints,
            @Later long[] longs,
            @Later float[] floats,
            @Later double[] doubles,
            @Later String text,
            @Later double[][] rows,
            @Later List<Grain> grains);

    /** Says through the tests that it has begun, then sums element by element. */
    long sum(String name, Later.Value<int[]> values);

    /** Sums what is read. */
    long read(InputStream bytes);

    /** Says that it has begun, and touches nothing. */
    int ignore(Later.Value<byte[]> bytes);

    /** Plain: begins when all has come. */
    long plain(String name, @Later int[] values, @Later int[][] rows);

    /** The sum of both, the second awaited first. */
    long both(Later.Value<int[]> first, Later.Value<int[]> second);

    /** Sums line by line, as they come. */
    long sheet(Sheet sheet, @Later int[] more);

    /** The same, as it comes. */
    Sheet same(Sheet sheet);

    /** Begins when all has come. */
    long marked(Marked marked);

    /** The sum of a value that may be anything. */
    Object any(Object something);

    int small(int value);
}
