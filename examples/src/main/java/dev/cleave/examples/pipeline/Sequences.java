package dev.cleave.examples.pipeline;

import dev.cleave.examples.dna.Database;
import dev.cleave.examples.dna.Sequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The sequences of the search in stages: a few of those of the search by replicas. */
final class Sequences {

    private static final int NEW = 8;
    private static final int OLD = 40;
    private static final Database ALL = load();

    /** The newly discovered ones. */
    static final List<String> QUERIES =
            ALL.queries().stream().limit(NEW).map(Sequence::letters).toList();

    /** The known ones. */
    static final List<String> KNOWN =
            ALL.known().stream().limit(OLD).map(Sequence::letters).toList();

    private Sequences() {}

    private static Database load() {
        try {
            return Database.load();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
