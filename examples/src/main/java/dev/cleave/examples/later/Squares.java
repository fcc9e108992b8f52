package dev.cleave.examples.later;

/** A plain implementation, without a word about arguments that arrive while it computes. For one caller at a time. */
public final class Squares implements Rang {

    private volatile long squaring;
    private volatile long adding;

    @Override
    public double rang(int size, int rows, double[] first, double[] second) {
        long begin = System.nanoTime();
        double[] square = square(size, rows, first);
        long between = System.nanoTime();
        double sum = 0;
        for (int i = 0; i < square.length; i++) {
            sum += square[i] + second[i];
        }
        long end = System.nanoTime();
        squaring = between - begin;
        adding = end - between;
        return sum;
    }

    @Override
    public long[] durations() {
        return new long[] {squaring, adding};
    }

    @Override
    public int take(double[] matrix) {
        return matrix.length;
    }

    static double[] square(int size, int rows, double[] matrix) {
        double[] square = new double[size * size];
        for (int row = 0; row < rows; row++) {
            squareRow(size, row % size, matrix, square);
        }
        return square;
    }

    private static void squareRow(int size, int row, double[] matrix, double[] square) {
        int to = row * size;
        for (int j = 0; j < size; j++) {
            square[to + j] = 0;
        }
        for (int k = 0; k < size; k++) {
            double factor = matrix[to + k];
            int from = k * size;
            for (int j = 0; j < size; j++) {
                square[to + j] += factor * matrix[from + j];
            }
        }
    }
}
