package dev.cleave.examples.mandelbrot;

/**
 * The picture of the paper's Table 1: 200 rows of 200 points on "[0.5,-1.8] to [1.2,-1.2]".
 *
 * <p>The first bracket is read as the range of the real part, from -1.8 to 0.5, and the second as that of the imaginary
 * part, from 1.2 down to -1.2. This shows the whole set; read as corners, the region would lie wholly outside it.
 */
public final class Rows implements Mandelbrot {

    /** Rows of the picture, and points of a row. */
    public static final int SIZE = 200;

    static final int MOST_STEPS = 256;

    private static final double LEFT = -1.8;
    private static final double RIGHT = 0.5;
    private static final double TOP = 1.2;
    private static final double BOTTOM = -1.2;

    @Override
    public int[] row(int row) {
        if (row < 0 || row >= SIZE) {
            throw new IllegalArgumentException("row: " + row + " (expected: 0.." + (SIZE - 1) + ")");
        }
        double imaginary = TOP + (BOTTOM - TOP) * row / (SIZE - 1);
        int[] steps = new int[SIZE];
        for (int column = 0; column < SIZE; column++) {
            steps[column] = escape(LEFT + (RIGHT - LEFT) * column / (SIZE - 1), imaginary);
        }
        return steps;
    }

    static int escape(double real, double imaginary) {
        double x = 0;
        double y = 0;
        for (int step = 1; step <= MOST_STEPS; step++) {
            double next = x * x - y * y + real;
            y = 2 * x * y + imaginary;
            x = next;
            if (x * x + y * y > 4) {
                return step;
            }
        }
        return 0;
    }
}
