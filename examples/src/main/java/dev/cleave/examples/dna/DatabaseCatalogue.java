package dev.cleave.examples.dna;

import java.io.IOException;
import java.util.List;

/** Answers from the database that comes with the examples. */
public final class DatabaseCatalogue implements Catalogue {

    private final List<Sequence> known;

    /** Reads the database. */
    public DatabaseCatalogue() throws IOException {
        known = Database.load().known();
    }

    @Override
    public String name(int sequence) {
        return known(sequence).name();
    }

    @Override
    public String organism(int sequence) {
        return known(sequence).organism();
    }

    @Override
    public String accession(int sequence) {
        return known(sequence).accession();
    }

    private Sequence known(int sequence) {
        if (sequence < 0 || sequence >= known.size()) {
            throw new IllegalArgumentException("sequence: " + sequence + " (expected: 0.." + (known.size() - 1) + ")");
        }
        return known.get(sequence);
    }
}
