package dev.cleave.agent.flow;

import java.util.List;

/** Methods whose graphs are worth looking at. */
final class LoopShapes {

    private LoopShapes() {}

    static int nest(int[][] rows) {
        int sum = 0;
        for (int[] row : rows) {
            for (int value : row) {
                if (value < 0) {
                    continue;
                }
                sum += value;
            }
        }
        return sum;
    }

    static int leaves(List<String> words, String wanted) {
        int at = 0;
        for (String word : words) {
            try {
                if (word.equals(wanted)) {
                    return at;
                }
                at += Integer.parseInt(word);
            } catch (NumberFormatException e) {
                if (word.isEmpty()) {
                    break;
                }
            } finally {
                at++;
            }
        }
        return -1;
    }

    static int untilZero(int start) {
        int n = start;
        do {
            n = n % 3 == 0 ? n / 3 : n - 1;
        } while (n > 0);
        return n;
    }
}
