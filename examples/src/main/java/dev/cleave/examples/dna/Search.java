package dev.cleave.examples.dna;

import dev.cleave.node.Node;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The master: compares every newly discovered sequence with every known one, and prints the best matches of each. Its
 * loop is written as if the comparison were local.
 */
public final class Search {

    private static final int BEST = 20;

    private Search() {}

    /**
     * Takes no argument, or the number of queries to search for, or that and the number of queries with which the
     * program warms itself up before it measures. Prints a line for each match, of the query's accession, the rank, the
     * score and the number of the known sequence; the time taken goes to the standard error.
     */
    public static void main(String[] args) throws IOException {
        Database database = Database.load();
        int count = args.length == 0 ? database.queries().size() : Integer.parseInt(args[0]);
        int warm = args.length < 2 ? 0 : Integer.parseInt(args[1]);
        List<Sequence> queries = database.queries().subList(0, count);
        String[] known = database.knownLetters();
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        try (Node node = Node.connect()) {
            Compare compare = node.lookup("compare", Compare.class);
            for (Sequence query : queries.subList(0, Math.min(warm, count))) {
                int[] unused = scores(compare, query.letters(), known);
            }
            long begin = System.nanoTime();
            for (Sequence query : queries) {
                print(query, scores(compare, query.letters(), known), out);
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.err.printf("%d calls in %.6f s%n", count * known.length, seconds);
        }
        out.flush();
    }

    static int[] scores(Compare compare, String query, String[] known) {
        int[] scores = new int[known.length];
        for (int i = 0; i < known.length; i++) {
            scores[i] = compare.score(query, known[i]);
        }
        return scores;
    }

    static void print(Sequence query, int[] scores, PrintStream out) {
        List<Integer> best = Ranking.best(scores, BEST);
        for (int rank = 0; rank < best.size(); rank++) {
            int number = best.get(rank);
            out.printf("%s\t%d\t%d\t%d%n", query.accession(), rank + 1, scores[number], number);
        }
    }
}
