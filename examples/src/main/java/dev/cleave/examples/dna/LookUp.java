package dev.cleave.examples.dna;

import dev.cleave.node.Node;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks for the name, the organism and the accession of each match that a search printed: one small call each. */
public final class LookUp {

    private LookUp() {}

    /**
     * Takes the file with the output of {@link Search}, and optionally how often to ask everything. Prints a line for
     * each match; the time of each round goes to the standard error.
     */
    public static void main(String[] args) throws IOException {
        int[] matches = matches(Path.of(args[0]));
        int rounds = args.length < 2 ? 1 : Integer.parseInt(args[1]);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        try (Node node = Node.connect()) {
            Catalogue catalogue = node.lookup("catalogue", Catalogue.class);
            for (int round = 0; round < rounds; round++) {
                long begin = System.nanoTime();
                String[] answers = lookUp(catalogue, matches);
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.err.printf("%d calls in %.6f s%n", 3 * matches.length, seconds);
                for (String answer : answers) {
                    out.println(answer);
                }
            }
        }
        out.flush();
    }

    static String[] lookUp(Catalogue catalogue, int[] matches) {
        String[] names = new String[matches.length];
        String[] organisms = new String[matches.length];
        String[] accessions = new String[matches.length];
        for (int i = 0; i < matches.length; i++) {
            names[i] = catalogue.name(matches[i]);
            organisms[i] = catalogue.organism(matches[i]);
            accessions[i] = catalogue.accession(matches[i]);
        }
        String[] answers = new String[matches.length];
        for (int i = 0; i < matches.length; i++) {
            answers[i] = accessions[i] + "\t" + organisms[i] + "\t" + names[i];
        }
        return answers;
    }

    private static int[] matches(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.US_ASCII).stream()
                .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf('\t') + 1)))
                .toArray();
    }
}
