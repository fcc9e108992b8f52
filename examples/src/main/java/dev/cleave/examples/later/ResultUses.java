package dev.cleave.examples.later;

/**
 * The uses of {@code @Later} results at a caller: plain Java, which the agent makes wait where it needs elements that
 * have not arrived.
 */
final class ResultUses {

    private ResultUses() {}

    /** Computes with one result: a number of steps with each of its elements. */
    static double consumed(Stages stages, int count, int steps) {
        double[] table = stages.table(count);
        double sum = 0;
        for (int i = 0; i < table.length; i++) {
            double x = table[i];
            for (int step = 0; step < steps; step++) {
                x = x * 0.999 + 0.001;
            }
            sum += x;
        }
        return sum;
    }

    /** Passes one result on to the next service. */
    static double piped(Stages first, Stages second, double[] values) {
        return second.total(first.scaled(values, 2));
    }
}
