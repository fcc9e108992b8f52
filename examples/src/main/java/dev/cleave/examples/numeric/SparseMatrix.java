package dev.cleave.examples.numeric;

import java.util.Arrays;

/**
 * The matrix of the NAS CG benchmark: sparse, symmetric, with a random pattern of nonzeros (NPB 2.3, {@code makea}).
 *
 * @param rows where each row begins in the other two arrays, and the end of the last one
 * @param columns the columns of the nonzeros
 * @param values the nonzeros
 */
record SparseMatrix(int[] rows, int[] columns, double[] values) {

    private static final double CONDITION = 0.1;

    /** The generator of pseudorandom numbers of the benchmark: x = 5^13 x mod 2^46. */
    private static final class Numbers {

        private static final long FACTOR = 1_220_703_125;
        private static final long MASK = (1L << 46) - 1;
        private long state = 314_159_265;

        double next() {
            state = state * FACTOR & MASK;
            return state * 0x1p-46;
        }
    }

    /** The sum of outer products, while it grows. */
    private static final class Sum {

        private int[] rows = new int[1 << 16];
        private int[] columns = new int[1 << 16];
        private double[] values = new double[1 << 16];
        private int count;

        void add(int row, int column, double value) {
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, 2 * count);
                columns = Arrays.copyOf(columns, 2 * count);
                values = Arrays.copyOf(values, 2 * count);
            }
            rows[count] = row;
            columns[count] = column;
            values[count++] = value;
        }

        /** Returns the matrix: rows one after the other, with one nonzero for each place. */
        SparseMatrix compressed(int n) {
            int[] begins = new int[n + 1];
            for (int i = 0; i < count; i++) {
                begins[rows[i] + 1]++;
            }
            for (int i = 0; i < n; i++) {
                begins[i + 1] += begins[i];
            }
            int[] order = new int[count];
            int[] next = begins.clone();
            for (int i = 0; i < count; i++) {
                order[next[rows[i]]++] = i;
            }
            int[] ends = new int[n + 1];
            int[] merged = new int[count];
            double[] sums = new double[count];
            int at = 0;
            int[] place = new int[n];
            Arrays.fill(place, -1);
            for (int row = 0; row < n; row++) {
                int first = at;
                for (int i = begins[row]; i < begins[row + 1]; i++) {
                    int column = columns[order[i]];
                    if (place[column] < first) {
                        place[column] = at;
                        merged[at] = column;
                        sums[at++] = 0;
                    }
                    sums[place[column]] += values[order[i]];
                }
                ends[row + 1] = at;
            }
            return new SparseMatrix(ends, Arrays.copyOf(merged, at), Arrays.copyOf(sums, at));
        }
    }

    /**
     * Makes the matrix of a class of the benchmark.
     *
     * @param n its rows
     * @param nonzeros of each random vector
     * @param shift of the eigenvalues
     */
    static SparseMatrix of(int n, int nonzeros, double shift) {
        Numbers numbers = new Numbers();
        double unused = numbers.next(); // the benchmark draws one before
        assert unused > 0;
        int power = Integer.highestOneBit(2 * n - 1);
        double ratio = Math.pow(CONDITION, 1.0 / n);
        double size = 1;
        Sum sum = new Sum();
        for (int outer = 0; outer < n; outer++) {
            int[] places = new int[nonzeros + 1];
            double[] vector = new double[nonzeros + 1];
            int count = random(numbers, n, power, places, vector, nonzeros);
            count = withHalf(places, vector, count, outer);
            for (int i = 0; i < count; i++) {
                double scale = size * vector[i];
                for (int j = 0; j < count; j++) {
                    sum.add(places[j], places[i], vector[j] * scale);
                }
            }
            size *= ratio;
        }
        for (int i = 0; i < n; i++) {
            sum.add(i, i, CONDITION - shift);
        }
        return sum.compressed(n);
    }

    /** Draws a vector with some nonzeros at different places. */
    private static int random(Numbers numbers, int n, int power, int[] places, double[] vector, int nonzeros) {
        int count = 0;
        while (count < nonzeros) {
            double value = numbers.next();
            int place = (int) (power * numbers.next());
            if (place < n && indexOf(places, count, place) < 0) {
                places[count] = place;
                vector[count++] = value;
            }
        }
        return count;
    }

    /** Sets one element of a vector to a half. */
    private static int withHalf(int[] places, double[] vector, int count, int place) {
        int known = indexOf(places, count, place);
        int at = known < 0 ? count : known;
        places[at] = place;
        vector[at] = 0.5;
        return known < 0 ? count + 1 : count;
    }

    private static int indexOf(int[] places, int count, int place) {
        for (int i = 0; i < count; i++) {
            if (places[i] == place) {
                return i;
            }
        }
        return -1;
    }
}
