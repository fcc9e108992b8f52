package dev.cleave.examples.numeric;

import dev.cleave.Async;
import dev.cleave.Ref;
import dev.cleave.Remote;

/** Products of square matrices of {@code n} rows, row by row in one array. */
@Remote
public interface Matrices {

    /** Returns the product of two matrices. */
    @Async(window = 2)
    double[] multiply(int n, double[] a, double[] b, int threads);

    /** Computes a product of matrices that stay where they are: {@code c = a * b}. */
    void dgemm(int n, Ref<double[]> a, Ref<double[]> b, Ref<double[]> c, int threads);
}
