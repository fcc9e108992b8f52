package dev.cleave.examples.dna;

/** Local alignment by the definition: every cell tries every length of gap. */
final class NaiveAlignment {

    private NaiveAlignment() {}

    static int score(String query, String known) {
        int[][] best = new int[query.length() + 1][known.length() + 1];
        int highest = 0;
        for (int i = 1; i <= query.length(); i++) {
            for (int j = 1; j <= known.length(); j++) {
                int score = Math.max(0, best[i - 1][j - 1] + pair(query.charAt(i - 1), known.charAt(j - 1)));
                for (int length = 1; length <= i; length++) {
                    score = Math.max(score, best[i - length][j] - gap(length));
                }
                for (int length = 1; length <= j; length++) {
                    score = Math.max(score, best[i][j - length] - gap(length));
                }
                best[i][j] = score;
                highest = Math.max(highest, score);
            }
        }
        return highest;
    }

    private static int pair(char a, char b) {
        return a == b && a != 'N' ? 5 : -4;
    }

    private static int gap(int length) {
        return 10 + (length - 1);
    }
}
