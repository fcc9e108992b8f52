package dev.cleave.examples.numeric;

import dev.cleave.Ref;
import dev.cleave.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The client of the NAS CG benchmark: estimates an eigenvalue by the inverse power method, with {@code conj_grad} here or at
 * the server. The matrix goes to the server once.
 *
 * <p>Prints {@code ready}, then obeys the lines of its standard input, {@code S THREADS} or {@code W THREADS}. It answers
 * {@code done LOCAL REMOTE ZETA}, the seconds of both ways, and ends with its input. Both must come to the value that the
 * benchmark prescribes. They take turns, step by step, and the median step counts: so both have the same weather.
 */
public final class Eigenvalue {

    private static final int ITERATIONS = 15;
    private static final double MOST_ERROR = 1e-10;

    /** A class of the benchmark, and the value that verifies a run. */
    enum Problem {
        S(1_400, 7, 10, 8.5971775078648),
        W(7_000, 8, 12, 10.362595087124);

        private final int rows;
        private final int nonzeros;
        private final double shift;
        private final double zeta;

        Problem(int rows, int nonzeros, double shift, double zeta) {
            this.rows = rows;
            this.nonzeros = nonzeros;
            this.shift = shift;
            this.zeta = zeta;
        }

        SparseMatrix matrix() {
            return SparseMatrix.of(rows, nonzeros, shift);
        }
    }

    /** Solves {@code A z = x}. */
    interface Solver {

        double solve(double[] x, double[] z);
    }

    private Eigenvalue() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Node node = Node.connect()) {
            ConjugateGradient remote = node.lookup("cg", ConjugateGradient.class);
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ");
                measure(node, remote, Problem.valueOf(words[0]), Integer.parseInt(words[1]));
            }
        }
    }

    private static void measure(Node node, ConjugateGradient remote, Problem problem, int threads) {
        ConjugateGradientSteps steps = new ConjugateGradientSteps();
        SparseMatrix matrix = problem.matrix();
        try (Ref<int[]> rows = node.put(matrix.rows(), remote);
                Ref<int[]> columns = node.put(matrix.columns(), rows);
                Ref<double[]> values = node.put(matrix.values(), rows)) {
            Power here = new Power(problem, (x, z) -> steps.solve(matrix, x, z, threads));
            Power there = new Power(problem, (x, z) -> remote.solve(rows, columns, values, x, z, threads));
            for (int i = 0; i < ITERATIONS; i++) {
                (i % 2 == 0 ? here : there).step();
                (i % 2 == 0 ? there : here).step();
            }
            if (here.zeta() != there.zeta()) {
                throw new IllegalStateException(
                        "zeta is " + there.zeta() + " at the server (expected: " + here.zeta() + ")");
            }
            System.out.printf(Locale.ROOT, "done %.9f %.9f %.13f%n", here.seconds(), there.seconds(), here.zeta());
        }
    }

    /** A run of the benchmark, step by step. */
    private static final class Power {

        private final Problem problem;
        private final Solver solver;
        private final double[] x;
        private final double[] z;
        private final List<Long> nanos = new ArrayList<>(); // of each step
        private double zeta;

        Power(Problem problem, Solver solver) {
            this.problem = problem;
            this.solver = solver;
            x = new double[problem.rows];
            z = new double[problem.rows];
            Arrays.fill(x, 1);
        }

        void step() {
            long begin = System.nanoTime();
            double residual = solver.solve(x, z);
            assert residual >= 0;
            zeta = problem.shift + 1 / ConjugateGradientSteps.dot(x, z);
            double norm = 1 / Math.sqrt(ConjugateGradientSteps.dot(z, z));
            for (int k = 0; k < x.length; k++) {
                x[k] = norm * z[k];
            }
            nanos.add(System.nanoTime() - begin);
        }

        /** The time of all steps, as the median of them has it. */
        double seconds() {
            List<Long> sorted = nanos.stream().sorted().toList();
            return sorted.get(sorted.size() / 2) / 1e9 * sorted.size();
        }

        /**
         * The estimate.
         *
         * @throws IllegalStateException if it is not the one that the benchmark prescribes
         */
        double zeta() {
            if (!(Math.abs(zeta - problem.zeta) <= MOST_ERROR)) {
                throw new IllegalStateException(
                        "zeta of class " + problem + ": " + zeta + " (expected: " + problem.zeta + ")");
            }
            return zeta;
        }
    }

    /**
     * Runs the benchmark.
     *
     * @throws IllegalStateException if the result is not the one that it prescribes
     */
    static double zeta(Problem problem, Solver solver) {
        Power run = new Power(problem, solver);
        for (int i = 0; i < ITERATIONS; i++) {
            run.step();
        }
        return run.zeta();
    }
}
