package dev.cleave.examples.dna;

import dev.cleave.Async;
import dev.cleave.Pure;
import dev.cleave.Remote;

/** Answers small questions about the known sequences, which are numbered from 0. */
@Remote
public interface Catalogue {

    /** The name of a sequence in the database. */
    @Async(window = 256)
    @Pure
    String name(int sequence);

    /** The organism that the sequence was found in. */
    @Async(window = 256)
    @Pure
    String organism(int sequence);

    /** The accession under which the sequence is published. */
    @Async(window = 256)
    @Pure
    String accession(int sequence);
}
