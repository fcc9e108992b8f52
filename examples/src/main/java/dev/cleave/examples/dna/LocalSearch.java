package dev.cleave.examples.dna;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The same search, or a piece of it, without Cleave: the baseline of the measurement.
 *
 * <p>Prints {@code ready}, then obeys the lines of its standard input, each {@code FROM TO PIECE PIECES}: it compares the
 * queries from number {@code FROM} to before {@code TO} with every known sequence whose number leaves {@code PIECE} when divided by
 * {@code PIECES}, and prints {@code done} with the sum of the scores. It ends with its input.
 */
public final class LocalSearch {

    private LocalSearch() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        Database database = Database.load();
        String[] known = database.knownLetters();
        Compare compare = new SmithWaterman();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        System.out.println("ready");
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            List<Sequence> queries = database.queries().subList(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
            int piece = Integer.parseInt(words[2]);
            int pieces = Integer.parseInt(words[3]);
            System.out.println("done " + sum(compare, queries, known, piece, pieces));
        }
    }

    static long sum(Compare compare, List<Sequence> queries, String[] known, int piece, int pieces) {
        long sum = 0;
        for (Sequence query : queries) {
            for (int i = piece; i < known.length; i += pieces) {
                sum += compare.score(query.letters(), known[i]);
            }
        }
        return sum;
    }
}
