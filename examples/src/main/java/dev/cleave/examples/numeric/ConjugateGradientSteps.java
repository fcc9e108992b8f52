package dev.cleave.examples.numeric;

import dev.cleave.Ref;
import java.util.Arrays;

/** Solves by conjugate gradients; the products of matrix and vector are shared out among threads. */
public final class ConjugateGradientSteps implements ConjugateGradient {

    private static final int STEPS = 25;

    private final Team team = new Team();

    @Override
    public double solve(
            Ref<int[]> rows, Ref<int[]> columns, Ref<double[]> values, double[] x, double[] z, int threads) {
        return solve(new SparseMatrix(rows.get(), columns.get(), values.get()), x, z, threads);
    }

    /** Solves with a matrix of this process. */
    double solve(SparseMatrix matrix, double[] x, double[] z, int threads) {
        int n = x.length;
        double[] q = new double[n];
        double[] r = x.clone();
        double[] p = x.clone();
        Arrays.fill(z, 0);
        double rho = dot(r, r);
        for (int step = 0; step < STEPS; step++) {
            multiply(matrix, p, q, threads);
            double alpha = rho / dot(p, q);
            for (int i = 0; i < n; i++) {
                z[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double before = rho;
            rho = dot(r, r);
            double beta = rho / before;
            for (int i = 0; i < n; i++) {
                p[i] = r[i] + beta * p[i];
            }
        }
        multiply(matrix, z, q, threads);
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += (x[i] - q[i]) * (x[i] - q[i]);
        }
        return Math.sqrt(sum);
    }

    private void multiply(SparseMatrix matrix, double[] by, double[] to, int threads) {
        int n = by.length;
        team.run(
                threads,
                part -> multiply(
                        matrix.rows(),
                        matrix.columns(),
                        matrix.values(),
                        by,
                        to,
                        n * part / threads,
                        n * (part + 1) / threads));
    }

    private static void multiply(
            int[] rows, int[] columns, double[] values, double[] by, double[] to, int from, int end) {
        for (int i = from; i < end; i++) {
            double sum = 0;
            for (int k = rows[i]; k < rows[i + 1]; k++) {
                sum += values[k] * by[columns[k]];
            }
            to[i] = sum;
        }
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
