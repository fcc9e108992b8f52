package dev.cleave.examples.dna;

import dev.cleave.node.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A master whose jobs differ in length: compares each new sequence with all known orchids, and at last with the genome of phage
 * lambda in three pieces, each of which takes more than twenty times as long as an orchid.
 */
public final class Genomes {

    private static final int PIECES = 3;
    private static final int SERVERS = 2;

    private Genomes() {}

    /**
     * Takes the name of the service and the number of queries. Prints the scores of each query in a line; two times go to the standard
     * error: that of all calls, and that of the best division over two servers of the times that the calls took there.
     */
    public static void main(String[] args) throws IOException {
        Database database = Database.load();
        List<Sequence> queries = database.queries().subList(0, Integer.parseInt(args[1]));
        String[] known = known(database);
        try (Node node = Node.connect()) {
            TimedCompare compare = node.lookup(args[0], TimedCompare.class);
            long[][] unused = answers(compare, queries.get(0).letters(), known); // warms up
            double best = 0;
            long begin = System.nanoTime();
            List<long[][]> all = new ArrayList<>();
            for (Sequence query : queries) {
                all.add(answers(compare, query.letters(), known));
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            for (long[][] answers : all) {
                System.out.println(Arrays.toString(
                        Arrays.stream(answers).mapToLong(answer -> answer[0]).toArray()));
                best += best(Arrays.stream(answers).mapToLong(answer -> answer[1]).toArray());
            }
            System.err.printf("%d calls in %.6f s%n", queries.size() * known.length, seconds);
            System.err.printf("%d calls in %.6f s%n", queries.size() * known.length, best);
        }
    }

    static long[][] answers(TimedCompare compare, String query, String[] known) {
        long[][] answers = new long[known.length][];
        for (int i = 0; i < known.length; i++) {
            answers[i] = compare.timedScore(query, known[i]);
        }
        return answers;
    }

    /** The orchids, and then the pieces of the genome. */
    static String[] known(Database database) {
        List<String> known = new ArrayList<>();
        StringBuilder genome = new StringBuilder();
        for (Sequence sequence : database.known()) {
            int from = sequence.header().indexOf(", letters ");
            if (from < 0) {
                known.add(sequence.letters());
            } else {
                genome.append(sequence.letters(), 0, Math.min(Database.STEP, sequence.letters().length()));
            }
        }
        int length = genome.length() / PIECES;
        for (int piece = 0; piece < PIECES; piece++) {
            known.add(genome.substring(piece * length, (piece + 1) * length));
        }
        return known.toArray(new String[0]);
    }

    /** Seconds of the longest of two servers if jobs of these nanoseconds are given out longest first. */
    static double best(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        long[] servers = new long[SERVERS];
        for (int i = sorted.length - 1; i >= 0; i--) {
            Arrays.sort(servers);
            servers[0] += sorted[i];
        }
        return Arrays.stream(servers).max().orElse(0) / 1e9;
    }
}
