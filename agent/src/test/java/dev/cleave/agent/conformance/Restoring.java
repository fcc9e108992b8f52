package dev.cleave.agent.conformance;

/** Methods that change their arguments, and a copy of the changes to the arrays of a caller. */
final class Restoring {

    private Restoring() {}

    static int fill(int seed, int[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = seed * 31 + i + 1;
        }
        return values.length + seed;
    }

    static int turn(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = values[i] * 3 + 1;
            sum += values[i];
        }
        return sum;
    }

    static void blend(int[] from, int[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = into[i] * 7 + (i < from.length ? from[i] : 1);
        }
    }

    static int grid(int seed, int[][] rows) {
        int sum = 0;
        for (int[] row : rows) {
            sum += fill(seed, row);
        }
        return sum;
    }

    /** A copy of an argument as it is sent: of an array and its rows. */
    static Object copy(Object argument) {
        if (argument instanceof int[] values) {
            return values.clone();
        }
        if (argument instanceof int[][] rows) {
            int[][] copies = rows.clone();
            for (int i = 0; i < rows.length; i++) {
                copies[i] = rows[i].clone();
            }
            return copies;
        }
        return argument;
    }

    /** Gives an array the contents of its copy. */
    static void restore(Object copy, Object array) {
        if (copy instanceof int[] values) {
            System.arraycopy(values, 0, array, 0, values.length);
        } else if (copy instanceof int[][] rows) {
            for (int i = 0; i < rows.length; i++) {
                restore(rows[i], ((int[][]) array)[i]);
            }
        }
    }
}
