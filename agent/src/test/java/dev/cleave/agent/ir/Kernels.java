package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Small programs whose results would show a value lost, swapped or kept too long; each method is one. */
final class Kernels {

    private int field;
    private long wide;
    private static int counter;

    private Kernels() {}

    static double matrixProduct() {
        int n = 12;
        double[][] a = new double[n][n];
        double[][] b = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = i + j * 0.5;
                b[i][j] = i * 0.25 - j;
            }
        }
        double trace = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i][k] * b[k][j];
                }
                trace += sum * (i ^ j);
            }
        }
        return trace;
    }

    static int sieve() {
        boolean[] composite = new boolean[2000];
        int primes = 0;
        for (int i = 2; i < composite.length; i++) {
            if (!composite[i]) {
                primes++;
                for (int j = i * i; j < composite.length; j += i) {
                    composite[j] = true;
                }
            }
        }
        return primes;
    }

    static String quickSort() {
        int[] values = new int[60];
        long seed = 7;
        for (int i = 0; i < values.length; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            values[i] = (int) (seed >>> 33) % 1000;
        }
        sort(values, 0, values.length - 1);
        return Arrays.toString(values);
    }

    private static void sort(int[] v, int low, int high) {
        int i = low;
        int j = high;
        int pivot = v[(low + high) >>> 1];
        while (i <= j) {
            while (v[i] < pivot) {
                i++;
            }
            while (v[j] > pivot) {
                j--;
            }
            if (i <= j) {
                int t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        if (low < j) {
            sort(v, low, j);
        }
        if (i < high) {
            sort(v, i, high);
        }
    }

    static String compoundAssignments() {
        int[] a = {1, 2, 3, 4};
        long[] w = {10, 20};
        int i = 0;
        a[i++] += i * 10;
        a[i++] <<= a[i]--;
        a[i] = i = 3;
        w[a[0] & 1] += ++i + w[0]++;
        Kernels k = new Kernels();
        k.field += k.field++ + ++k.field;
        k.wide = k.wide-- - --k.wide;
        int kept = k.field = a[1] = 77;
        byte narrow = (byte) 130;
        narrow += 3.7;
        counter = counter++ + 5;
        return Arrays.toString(a)
                + Arrays.toString(w)
                + i
                + ' '
                + k.field
                + ' '
                + k.wide
                + ' '
                + kept
                + narrow
                + counter;
    }

    static String ternariesInArguments() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            out.append(join(i > 2 ? "a" : "b", i, (i & 1) == 0 ? 1L << i : -1L, new Object[] {i < 4 ? i : "x", null}));
            out.append(new StringBuilder(i == 3 ? "three" : "other").append(i > 1 && i < 4 || i == 0));
        }
        return out.toString();
    }

    private static String join(String a, int b, long c, Object... d) {
        return a + b + c + Arrays.toString(d);
    }

    static String tryFinally() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            out.append(nested(i, out)).append(';');
        }
        return out.toString();
    }

    private static int nested(int i, StringBuilder out) {
        int state = i;
        try {
            state *= 2;
            try {
                if (i == 1) {
                    throw new IllegalStateException("one");
                }
                if (i == 2) {
                    return state;
                }
                state += 100 / (i - 3);
            } catch (IllegalStateException | ArithmeticException e) {
                state += e.getMessage().length();
                if (i == 3) {
                    throw e;
                }
            } finally {
                out.append('f').append(state++);
            }
        } catch (RuntimeException e) {
            return -state;
        } finally {
            out.append('g').append(state);
            if (i == 5) {
                state = 500;
            }
        }
        return state;
    }

    static String stringSwitch() {
        StringBuilder out = new StringBuilder();
        for (String s : new String[] {"Aa", "BB", "x", "long word", ""}) {
            switch (s) {
                case "Aa" -> out.append(1);
                case "BB" -> out.append(2);
                case "long word" -> out.append(3);
                default -> out.append(s.length());
            }
            out.append(
                    switch (s.length()) {
                        case 0, 1 -> "small";
                        case 2 -> {
                            String t = s + s;
                            yield t.substring(1);
                        }
                        case 1_000_000 -> "huge";
                        default -> s;
                    });
        }
        return out.toString();
    }

    static String labelledLoops() {
        StringBuilder out = new StringBuilder();
        outer:
        for (int i = 0; ; i++) {
            int j = 0;
            do {
                if (j == i % 4) {
                    continue outer;
                }
                if (i * j > 20) {
                    break outer;
                }
                out.append(i).append(j);
            } while (j++ < 5);
        }
        return out.toString();
    }

    static long mixedWidths() {
        long sum = 1;
        float f = 1.5f;
        double d = -0.0;
        for (int i = 1; i < 40; i++) {
            sum = sum * 31 + (long) (f * i) + (i % 3 == 0 ? (long) d : i);
            f = (float) (f / 1.1 + i % 2);
            d += f > d ? sum % 7 : Double.MIN_VALUE;
            sum ^= sum >>> (i & 7);
        }
        return sum + Double.doubleToLongBits(d) + Float.floatToIntBits(f);
    }

    static double negativeZero() {
        double zero = -0.0;
        float small = -0.0f;
        return 1 / zero + 1 / small;
    }

    static int synchronizedBlocks() {
        Object lock = new Object();
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            synchronized (lock) {
                if (i == 3) {
                    continue;
                }
                synchronized (lock) {
                    sum += i;
                }
            }
        }
        return sum;
    }

    static String lambdas() {
        int base = 4;
        List<IntUnaryOperator> steps = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int captured = i * base;
            steps.add(x -> x * captured + base);
        }
        int value = 1;
        for (IntUnaryOperator step : steps) {
            value = step.applyAsInt(value);
        }
        return value
                + IntStream.range(0, 5).mapToObj(Integer::toString).toList().toString();
    }

    static String mapsAndBoxes() {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : "a b a c b a".split(" ")) {
            counts.merge(word, 1, Integer::sum);
            Integer boxed = counts.get(word);
            boxed++;
            counts.put(word + boxed, boxed);
        }
        return counts.toString();
    }

    static String patterns() {
        StringBuilder out = new StringBuilder();
        for (Object o : new Object[] {1, "two", 3L, null, new int[] {4}}) {
            if (o instanceof String s && s.length() > 2) {
                out.append(s);
            } else if (o instanceof Number n) {
                out.append(n.intValue());
            } else {
                out.append(o instanceof int[] array ? array[0] : -1);
            }
        }
        return out.append(new Pair(1, "x").equals(new Pair(1, "x"))).toString();
    }

    private record Pair(int left, String right) {}

    static String exceptionOrder() {
        StringBuilder out = new StringBuilder();
        int[] array = new int[2];
        int i = 0;
        try {
            array[i++] = 5;
            array[i + note(out, 3)] = note(out, i++) / (i - 2);
        } catch (ArrayIndexOutOfBoundsException | ArithmeticException e) {
            out.append(e.getClass().getSimpleName()).append(i).append(array[0]);
        }
        return out.toString();
    }

    private static int note(StringBuilder out, int value) {
        out.append('n').append(value);
        return value;
    }

    static String slotReuse() {
        StringBuilder out = new StringBuilder();
        {
            int a = 1;
            long b = 2;
            out.append(a + b);
        }
        {
            String a = "s";
            double b = 2.5;
            float c = 1f;
            out.append(a).append(b).append(c);
        }
        for (Object o : List.of(1, "x")) {
            out.append(o);
        }
        return out.toString();
    }

    static Object uninitialisedAcrossBlocks() {
        int n = counter & 3;
        return new StringBuilder(new String(n > 5 ? "big" : n > 10 ? "bigger" : "small"))
                .append(new int[n == 0 ? 1 : 2].length > 3 ? new Object() : "none")
                .append(new StringBuilder(n >= 0 ? new String("yes") : null))
                .toString();
    }

    static int previousValue() {
        int previous = 1;
        int current = 1;
        for (int i = 0; i < 20; i++) {
            int next = previous + current;
            previous = current;
            current = next;
        }
        int a = 1;
        int b = 2;
        a = b + (b = a) * 0;
        return previous * 31 + current + a * 1000 + b;
    }

    static String nestedArrays() {
        int[][][] cube = new int[3][4][];
        long[] row = {1L, 2L, 3L};
        cube[1][2] = new int[] {9, 8, cube.length, cube[0].length};
        row[cube[1][2][1] - 7] ^= row[0] << cube[1][2][2];
        return Arrays.deepToString(cube) + Arrays.toString(row);
    }

    static String throwsOut() {
        Object o = "not a number";
        return "unreachable" + (Integer) o;
    }

    static String endlessUntilReturn() {
        int i = 0;
        while (true) {
            try {
                if (++i > 5) {
                    return "done" + i;
                }
                if (i % 2 == 0) {
                    throw new IllegalArgumentException();
                }
            } catch (IllegalArgumentException e) {
                i++;
            }
        }
    }
}
