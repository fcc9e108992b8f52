package dev.cleave.config;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Finds the known word that is nearest to a misspelt one. */
public final class Nearest {

    private static final int LONGEST = 100;

    private Nearest() {}

    /**
     * Returns the hint for a message about an unknown word: {@code (did you mean score?)} if one is near,
     * {@code (expected: a, b or c)} if there are few, {@code (expected: none)} if there is none.
     */
    public static String hint(String word, Collection<String> known) {
        String best = null;
        int least = 1 + Math.max(1, Math.min(word.length(), LONGEST) / 3);
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best != null ? "(did you mean " + best + "?)" : "(expected: " + list(List.copyOf(known)) + ")";
    }

    private static String list(List<String> words) {
        if (words.isEmpty()) {
            return "none";
        }
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    /**
     * The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other,
     * ignoring case.
     */
    static int distance(String from, String to) {
        if (from.length() > LONGEST || to.length() > LONGEST) {
            return Integer.MAX_VALUE;
        }
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : step(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int step(int[][] d, String a, String b, int i, int j) {
        int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, 1 + d[i - 2][j - 2]) : best;
    }
}
