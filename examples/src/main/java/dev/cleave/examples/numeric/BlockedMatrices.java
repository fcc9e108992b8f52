package dev.cleave.examples.numeric;

import dev.cleave.Ref;
import java.util.Arrays;

/** Multiplies block by block, so that the rows in use stay in the cache. */
public final class BlockedMatrices implements Matrices {

    private static final int BLOCK = 64;

    private final Team team = new Team();

    @Override
    public double[] multiply(int n, double[] a, double[] b, int threads) {
        double[] c = new double[n * n];
        product(n, a, b, c, threads);
        return c;
    }

    @Override
    public void dgemm(int n, Ref<double[]> a, Ref<double[]> b, Ref<double[]> c, int threads) {
        product(n, a.get(), b.get(), c.get(), threads);
    }

    /** Computes {@code c = a * b}. */
    void product(int n, double[] a, double[] b, double[] c, int threads) {
        team.run(threads, part -> rows(n, a, b, c, n * part / threads, n * (part + 1) / threads));
    }

    private static void rows(int n, double[] a, double[] b, double[] c, int from, int to) {
        Arrays.fill(c, from * n, to * n, 0);
        for (int block = 0; block < n; block += BLOCK) {
            int end = Math.min(n, block + BLOCK);
            for (int i = from; i < to; i++) {
                for (int k = block; k < end; k++) {
                    addRow(a[i * n + k], b, k * n, c, i * n, n);
                }
            }
        }
    }

    private static void addRow(double factor, double[] b, int fromB, double[] c, int fromC, int n) {
        for (int j = 0; j < n; j++) {
            c[fromC + j] += factor * b[fromB + j];
        }
    }
}
