package dev.cleave.agent.later;

import dev.cleave.later.LaterArguments;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What the stub of the programs of {@link LaterResultsTest} does: results that arrive, are lost, or fail. */
public final class PipeScript {

    /** What a call throws whose result does not arrive. */
    public static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1;

        Lost(String call) {
            super(call + " lost");
        }
    }

    private final int step;
    private final int lostCall;
    private final int lostAt;
    private final Random random = new Random(7);
    private final List<ScriptedResult> results = new ArrayList<>();
    private final List<LaterArguments> passed = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private Map<String, Object> given = Map.of();
    private LaterArguments taken; // by the server that computes the next result

    /**
     * Makes a script.
     *
     * @param step at most so many elements arrive with the one that is waited for
     * @param lostCall the number of the call whose result does not arrive, negative for none
     * @param lostAt from which element on
     */
    public PipeScript(int step, int lostCall, int lostAt) {
        this.step = step;
        this.lostCall = lostCall;
        this.lostAt = lostAt;
    }

    /** Calls of these names have these results. */
    PipeScript giving(Map<String, Object> values) {
        given = values;
        return this;
    }

    @Override
    public String toString() {
        return calls.toString();
    }

    List<String> calls() {
        return calls;
    }

    List<ScriptedResult> results() {
        return results;
    }

    void passedOn(LaterArguments result) {
        passed.add(result);
    }

    private boolean isLost(Object whole) {
        return calls.size() - 1 == lostCall && whole != null && lostAt < Array.getLength(whole);
    }

    /** A call as written. */
    public Object call(String name, Object argument) {
        take(name, argument);
        Object whole = compute(name, argument);
        if (isLost(whole)) {
            throw new Lost(name);
        }
        return whole;
    }

    /** A call whose result arrives. */
    public LaterArguments begin(String name, Object argument) {
        take(name, argument);
        Object whole = compute(name, argument);
        boolean lost = isLost(whole);
        ScriptedResult result = new ScriptedResult(this, name, whole, lost ? lostAt : -1, step, random);
        results.add(result);
        return result;
    }

    private void take(String name, Object argument) {
        LaterArguments source = null;
        for (LaterArguments each : passed) {
            source = each.begun(0) == argument ? each : source;
        }
        passed.clear();
        if (source == null) {
            results.stream()
                    .filter(each -> each.array() == argument && !each.isWhole())
                    .forEach(each -> {
                        throw new AssertionError(name + ": half an argument");
                    });
        }
        taken = source;
    }

    /** The first half of an argument that is on its way: its call returns before the rest has come. */
    private double[] doubled(double[] argument) {
        double[] result = new double[argument.length];
        for (int i = 0; i < result.length; i++) {
            if (taken != null && i < argument.length / 2) {
                taken.await(0, i);
            }
            result[i] = taken == null || i < argument.length / 2 ? 2 * argument[i] : Double.NaN;
        }
        if (taken != null) { // what the result is made of: the rest comes while it arrives
            double[] rest = (double[]) taken.whole(0);
            for (int i = 0; i < result.length; i++) {
                result[i] = 2 * rest[i];
            }
        }
        return result;
    }

    private Object compute(String name, Object argument) {
        calls.add(name);
        if (given.containsKey(name)) {
            return LaterPrograms.copies(new Object[] {given.get(name)})[0];
        }
        switch (name) {
            case "fails":
                throw new IllegalStateException("out of ink");
            case "none":
                return null;
            case "scale", "rescale":
                return doubled((double[]) argument);
            case "sum":
                double sum = 0;
                for (double each : (double[]) argument) {
                    sum += each;
                }
                return sum;
            default:
        }
        int n = (int) argument;
        Class<?> type =
                switch (name) {
                    case "ints" -> int.class;
                    case "longs" -> long.class;
                    case "bytes" -> byte.class;
                    case "floats" -> float.class;
                    case "rows" -> double[].class;
                    default -> double.class;
                };
        Object made = Array.newInstance(type, n);
        for (int i = 0; i < n; i++) {
            if (type == double[].class) {
                Array.set(made, i, i % 3 == 2 ? null : new double[] {i, i + 1, i * i});
            } else {
                Array.setByte(made, i, (byte) (i * i % 100 + 1));
                if (type.isPrimitive() && type != double.class) {
                    continue;
                }
                Array.setDouble(made, i, i * i + 1);
            }
        }
        return made;
    }
}
