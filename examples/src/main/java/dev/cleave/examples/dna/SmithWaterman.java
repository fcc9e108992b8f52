package dev.cleave.examples.dna;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Local alignment with affine gaps, by Gotoh's recurrences in one row of memory.
 *
 * <p>A pair of equal letters scores 5, a pair of different ones -4; the first letter of a gap costs 10, each further one
 * 1. {@code N}, a base that was not read, is equal to nothing.
 *
 * <p>Sources: T. F. Smith, M. S. Waterman, Identification of common molecular subsequences, 1981; O. Gotoh, An improved
 * algorithm for matching biological sequences, 1982.
 */
public final class SmithWaterman implements Compare {

    static final int MATCH = 5;
    static final int MISMATCH = -4;
    static final int GAP_OPEN = 10;
    static final int GAP_EXTEND = 1;

    private static final int FAR_BELOW = Integer.MIN_VALUE / 2;

    @Override
    public int score(String query, String known) {
        byte[] rows = letters(query, (byte) 0);
        byte[] columns = letters(known, (byte) 1);
        int[] best = new int[columns.length]; // the best alignment that ends at row and column
        int[] down = new int[columns.length]; // the best one whose last letter is in a gap of the known sequence
        Arrays.fill(down, FAR_BELOW);
        int highest = 0;
        for (byte row : rows) {
            highest = Math.max(highest, row(row, columns, best, down));
        }
        return highest;
    }

    private static int row(byte letter, byte[] columns, int[] best, int[] down) {
        int highest = 0;
        int diagonal = 0;
        int left = 0;
        int right = FAR_BELOW; // the best alignment whose last letter is in a gap of the query
        for (int j = 0; j < columns.length; j++) {
            int above = best[j];
            int gapDown = Math.max(down[j] - GAP_EXTEND, above - GAP_OPEN);
            right = Math.max(right - GAP_EXTEND, left - GAP_OPEN);
            int pair = diagonal + (letter == columns[j] ? MATCH : MISMATCH);
            int here = Math.max(Math.max(0, pair), Math.max(gapDown, right));
            down[j] = gapDown;
            best[j] = here;
            diagonal = above;
            left = here;
            highest = Math.max(highest, here);
        }
        return highest;
    }

    private static byte[] letters(String sequence, byte unread) {
        byte[] letters = sequence.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < letters.length; i++) {
            if (letters[i] == 'N') {
                letters[i] = unread;
            }
        }
        return letters;
    }
}
