package dev.cleave.examples.later;

import dev.cleave.Later;
import dev.cleave.Remote;

/** The paper's service: squares a matrix, then adds another one. */
@Remote
public interface Rang {

    /**
     * Computes rows of the square of a matrix, beginning anew when all of them have been, and adds another matrix.
     *
     * @param size rows, and columns, of both
     * @param rows how many rows to compute
     * @param first row by row
     * @param second row by row; needed only when the square is done
     * @return the sum of all elements
     */
    double rang(int size, int rows, double[] first, @Later double[] second);

    /** How long the last {@link #rang} computed what needs its first matrix alone, and then the rest, in nanoseconds. */
    long[] durations();

    /** Does nothing with a matrix; to know how long one takes to come. */
    int take(double[] matrix);
}
