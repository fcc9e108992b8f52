package dev.cleave.examples.later;

/** A plain implementation, without a word about what arrives while it computes. */
public final class PlainStages implements Stages {

    @Override
    public double[] table(int count) {
        double[] table = new double[count];
        for (int i = 0; i < count; i++) {
            table[i] = (i & 1023) / 1024.0;
        }
        return table;
    }

    @Override
    public double[] scaled(double[] values, double by) {
        double[] scaled = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            scaled[i] = values[i] * by;
        }
        return scaled;
    }

    @Override
    public double total(double[] values) {
        double total = 0;
        for (int i = 0; i < values.length; i++) {
            total += values[i];
        }
        return total;
    }

    @Override
    public int take(double[] values) {
        return values.length;
    }
}
