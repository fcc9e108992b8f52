package dev.cleave.examples.dna;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The sequences of the search, all real: of 94 orchids every third counts as newly discovered; the others, and windows
 * of the genome of phage lambda, are known.
 *
 * @param queries the newly discovered sequences
 * @param known the known ones, in the order of their numbers
 */
public record Database(List<Sequence> queries, List<Sequence> known) {

    /** How many letters of the genome a window shows. */
    static final int WINDOW = 1000;

    /** How far a window lies behind the one before it. */
    static final int STEP = 500;

    private static final String ORCHIDS = "orchid-its.fasta";
    private static final String PHAGE = "phage-lambda.fasta";

    /** Copies its components. */
    public Database {
        queries = List.copyOf(queries);
        known = List.copyOf(known);
    }

    /** Reads the sequences that come with the examples. */
    public static Database load() throws IOException {
        List<Sequence> queries = new ArrayList<>();
        List<Sequence> known = new ArrayList<>();
        List<Sequence> orchids = read(ORCHIDS);
        for (int i = 0; i < orchids.size(); i++) {
            (i % 3 == 0 ? queries : known).add(orchids.get(i));
        }
        for (Sequence genome : read(PHAGE)) {
            known.addAll(windows(genome));
        }
        return new Database(queries, known);
    }

    /** The letters of the known sequences, in the order of their numbers. */
    public String[] knownLetters() {
        return known.stream().map(Sequence::letters).toArray(String[]::new);
    }

    static List<Sequence> windows(Sequence genome) {
        List<Sequence> windows = new ArrayList<>();
        int length = genome.letters().length();
        for (int begin = 0; begin == 0 || begin + WINDOW <= length; begin += STEP) {
            int end = Math.min(length, begin + WINDOW);
            String place = ", letters " + (begin + 1) + " to " + end;
            windows.add(new Sequence(genome.header() + place, genome.letters().substring(begin, end)));
        }
        return windows;
    }

    private static List<Sequence> read(String file) throws IOException {
        InputStream bytes = Database.class.getResourceAsStream(file);
        if (bytes == null) {
            throw new FileNotFoundException(file + ": not beside " + Database.class.getName());
        }
        try (Reader text = new InputStreamReader(bytes, StandardCharsets.US_ASCII)) {
            return Fasta.read(text, file);
        }
    }
}
