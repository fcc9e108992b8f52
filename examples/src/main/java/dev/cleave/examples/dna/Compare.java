package dev.cleave.examples.dna;

import dev.cleave.Async;
import dev.cleave.Pure;
import dev.cleave.Remote;

/** Compares two sequences. */
@Remote
public interface Compare {

    /** The score of the best local alignment of the two sequences; 0 if nothing in them is alike. */
    @Async(window = 64)
    @Pure
    int score(String query, String known);
}
