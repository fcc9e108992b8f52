package dev.cleave.agent.later;

import dev.cleave.later.LaterArguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the second copy of a method costs: loops as written, rewritten with all there, rewritten while their arguments arrive in ten
 * pieces that are always there in time, and rewritten while the last of these pieces arrives. Ratios of the best of many turns,
 * taken in turn in one JVM; first with nothing that ever arrives later, then with all in turn. The last ratio is that of the
 * loop as written to itself, as another class: what the JIT makes of the same loop twice.
 *
 * <p>Run: {@code java -cp <test class path of agent> dev.cleave.agent.later.KernelTimes [turns] [kernel]}
 */
public final class KernelTimes {

    private static final String SOURCE = """
            package p;
            public class Real implements dev.cleave.agent.later.TimedKernels {
              public int intDot(int[] a, int[] b) {
                int s = 0;
                for (int i = 0; i < a.length; i++) s += a[i] * b[i];
                return s;
              }
              public double sum(double[] a) {
                double s = 0;
                for (double x : a) s += x;
                return s;
              }
              public double[] add(double[] a, double[] b) {
                double[] c = new double[a.length];
                for (int i = 0; i < c.length; i++) c[i] = a[i] + b[i];
                return c;
              }
              public double[][] matrixAdd(double[][] a, double[][] b) {
                double[][] c = new double[a.length][a[0].length];
                for (int i = 0; i < a.length; i++)
                  for (int j = 0; j < a[0].length; j++) c[i][j] = a[i][j] + b[i][j];
                return c;
              }
              public double[][] byRows(double[][] a) {
                int n = a.length;
                double[][] c = new double[n][n];
                for (int i = 0; i < n; i++)
                  for (int k = 0; k < n; k++) {
                    double x = a[i][k];
                    for (int j = 0; j < n; j++) c[i][j] += x * a[k][j];
                  }
                return c;
              }
              public double[][] byColumns(double[][] a) {
                int n = a.length;
                double[][] c = new double[n][n];
                for (int i = 0; i < n; i++)
                  for (int j = 0; j < n; j++) {
                    double s = 0;
                    for (int k = 0; k < n; k++) s += a[i][k] * a[k][j];
                    c[i][j] = s;
                  }
                return c;
              }
              public int search(byte[] a, int wanted) {
                int i = 0;
                while (true) {
                  if (a[i] == wanted) return i;
                  i++;
                }
              }
            }
            """;

    private static final int PIECES = 10;

    private KernelTimes() {}

    private record Kernel(String name, Object[] arguments, ToDoubleFunction<TimedKernels> call) {}

    public static void main(String[] args) {
        int turns = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        System.out.println("kernel      complete | complete, arriving, last piece (in turn) | as written twice; JDK "
                + Runtime.version().feature());
        for (Kernel kernel : kernels()) {
            if (args.length < 2 || args[1].equals(kernel.name())) {
                measure(kernel, turns);
            }
        }
    }

    private static List<Kernel> kernels() {
        int[] ints = new int[65536];
        Arrays.setAll(ints, i -> i * 7 % 31);
        double[] doubles = new double[65536];
        Arrays.setAll(doubles, i -> i * 0.5);
        byte[] bytes = new byte[65536];
        bytes[65535] = 1;
        double[][] wide = matrix(200);
        double[][] square = matrix(100);
        List<Kernel> all = new ArrayList<>();
        all.add(new Kernel("intDot", new Object[] {ints, ints}, k -> k.intDot(ints, ints)));
        all.add(new Kernel("sum", new Object[] {doubles}, k -> k.sum(doubles)));
        all.add(new Kernel("add", new Object[] {doubles, doubles}, k -> k.add(doubles, doubles)[7]));
        all.add(new Kernel("matrixAdd", new Object[] {wide, wide}, k -> k.matrixAdd(wide, wide)[7][7]));
        all.add(new Kernel("byRows", new Object[] {square}, k -> k.byRows(square)[7][7]));
        all.add(new Kernel("byColumns", new Object[] {square}, k -> k.byColumns(square)[7][7]));
        all.add(new Kernel("search", new Object[] {bytes}, k -> k.search(bytes, 1)));
        return all;
    }

    private static double[][] matrix(int n) {
        double[][] matrix = new double[n][n];
        for (double[] row : matrix) {
            Arrays.setAll(row, i -> i * 0.25);
        }
        return matrix;
    }

    private static void measure(Kernel kernel, int turns) {
        LaterPrograms programs = new LaterPrograms(Map.of("p.Real", SOURCE));
        TimedKernels written = (TimedKernels) LaterPrograms.make(programs.written("p.Real"));
        TimedKernels rewritten = (TimedKernels) LaterPrograms.make(programs.loaded("p.Real"));
        String key = LaterPrograms.key(LaterPrograms.method(programs.loaded("p.Real"), kernel.name()));
        int calls = calls(kernel, written);
        double[] alone = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int i = 0; i < turns; i++) {
            alone[0] = Math.min(alone[0], time(kernel, written, calls, null));
            alone[1] = Math.min(alone[1], time(kernel, rewritten, calls, null));
        }
        TimedKernels again =
                (TimedKernels) LaterPrograms.make(new LaterPrograms(Map.of("p.Real", SOURCE)).written("p.Real"));
        double[] both = new double[5];
        Arrays.fill(both, Double.MAX_VALUE);
        for (int i = 0; i < turns; i++) {
            both[0] = Math.min(both[0], time(kernel, written, calls, null));
            both[1] = Math.min(both[1], time(kernel, rewritten, calls, null));
            both[2] = Math.min(both[2], time(kernel, rewritten, calls, new Pieces(key, kernel.arguments(), 0)));
            both[3] =
                    Math.min(both[3], time(kernel, rewritten, calls, new Pieces(key, kernel.arguments(), PIECES - 1)));
            both[4] = Math.min(both[4], time(kernel, again, calls, null));
        }
        System.out.printf(
                Locale.ROOT,
                "%-10s  %.2f     | %.2f  %.2f  %.2f | %.2f  (%.2f us)%n",
                kernel.name(),
                alone[1] / alone[0],
                both[1] / both[0],
                both[2] / both[0],
                both[3] / both[0],
                both[4] / both[0],
                both[0] / calls / 1e3);
    }

    private static int calls(Kernel kernel, TimedKernels written) {
        double once = time(kernel, written, 200, null) / 200;
        return (int) Math.max(5, 1_000_000 / once);
    }

    private static double sink;

    private static double time(Kernel kernel, TimedKernels target, int calls, Pieces pieces) {
        double sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            if (pieces != null) {
                pieces.begin();
                pieces.handOver();
            }
            sum += kernel.call().applyAsDouble(target);
        }
        long time = System.nanoTime() - start;
        sink += sum;
        LaterArguments.clear();
        return time;
    }

    /** Arrays of which a piece more is there whenever somebody waits. */
    private static final class Pieces extends LaterArguments {

        private final String method;
        private final Object[] arguments;
        private final int[] lengths;
        private final int[] received;
        private final int[] first;

        Pieces(String method, Object[] arguments, int there) {
            this.method = method;
            this.arguments = arguments;
            lengths = new int[arguments.length];
            received = new int[arguments.length];
            first = new int[arguments.length];
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = java.lang.reflect.Array.getLength(arguments[i]);
                first[i] = there * piece(i);
            }
        }

        private int piece(int parameter) {
            return (lengths[parameter] + PIECES - 1) / PIECES;
        }

        void begin() {
            System.arraycopy(first, 0, received, 0, received.length);
        }

        @Override
        protected boolean isOf(String other) {
            return method.equals(other);
        }

        @Override
        public boolean isLater(int parameter) {
            return parameter < arguments.length;
        }

        @Override
        public Object whole(int parameter) {
            return arguments[parameter];
        }

        @Override
        public Object begun(int parameter) {
            return arguments[parameter];
        }

        @Override
        public int received(int parameter) {
            return received[parameter];
        }

        @Override
        public int await(int parameter, int index) {
            int length = lengths[parameter];
            int piece = piece(parameter);
            while (received[parameter] <= index && received[parameter] < length) {
                received[parameter] = Math.min(length, received[parameter] + piece);
            }
            return received[parameter];
        }
    }
}
