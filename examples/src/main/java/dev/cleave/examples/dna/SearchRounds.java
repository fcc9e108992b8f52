package dev.cleave.examples.dna;

import dev.cleave.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The master of {@link Search}, which searches for some of the queries each time that it is told to. */
public final class SearchRounds {

    private SearchRounds() {}

    /**
     * Takes a file for the matches, and the number of queries with which the program warms itself up. Prints {@code ready} then. For
     * each line {@code FROM TO} of the standard input it searches for the queries of that range, and prints {@code done}; it ends with
     * its input.
     */
    public static void main(String[] args) throws IOException {
        Database database = Database.load();
        int warm = Integer.parseInt(args[1]);
        List<Sequence> queries = database.queries();
        String[] known = database.knownLetters();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (PrintStream out = new PrintStream(args[0], StandardCharsets.US_ASCII);
                Node node = Node.connect()) {
            Compare compare = node.lookup("compare", Compare.class);
            for (Sequence query : queries.subList(0, Math.min(warm, queries.size()))) {
                int[] unused = Search.scores(compare, query.letters(), known);
            }
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] range = line.split(" ");
                for (Sequence query : queries.subList(Integer.parseInt(range[0]), Integer.parseInt(range[1]))) {
                    Search.print(query, Search.scores(compare, query.letters(), known), out);
                }
                out.flush();
                System.out.println("done");
            }
        }
    }
}
