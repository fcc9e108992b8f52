package dev.cleave.examples.later;

import dev.cleave.Later;
import dev.cleave.Remote;

/** The paper's service: squares a matrix, then adds another one. */
@Remote
public interface Rang {

    /**
     * Computes rows of the square of a matrix, from the first again after the last, and adds another matrix.
     *
     * @param size rows, and columns, of both
     * @param rows how many rows to compute
     * @param first row by row
     * @param second row by row; needed only when the square is done
     * @return the sum of all elements
     */
    double rang(int size, int rows, double[] first, @Later double[] second);

    /**
     * The nanoseconds that the last {@link #rang} took for the part that needs the first matrix alone, and for the
     * rest.
     */
    long[] durations();

    /** Does nothing with a matrix; to know how long one takes to come. */
    int take(double[] matrix);
}
