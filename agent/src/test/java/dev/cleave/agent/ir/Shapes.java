package dev.cleave.agent.ir;

import java.util.List;

/** Methods whose register form and class file details the tests look at. */
final class Shapes {

    private int count;

    static int sum(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return sum;
    }

    static String choose(boolean first, List<String> names) {
        return new StringBuilder(first ? "yes" : "no").append(names.get(0)).toString();
    }

    int next() {
        return count++;
    }

    static int guarded(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        } finally {
            System.nanoTime();
        }
    }
}
