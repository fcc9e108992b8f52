package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What generated programs extend: the heap that they change. */
public abstract class FuzzProgram {

    public int f;
    public int caught;
    public int[] arr = {1, 2, 3};
    public final List<Integer> list = new ArrayList<>();
    public final StringBuilder sb = new StringBuilder();

    /** Runs the program. */
    public abstract Object run(FuzzService s, FuzzService t, int n, int[] a, List<Integer> xs) throws Exception;

    /** The fields that a program has beside these, as text. */
    protected String own() {
        return "";
    }

    final String heap() {
        return f + "|" + Arrays.toString(arr) + "|" + list + "|" + sb + "|" + own();
    }
}
