package dev.cleave.examples.dna;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Comparisons that say how long they took. */
@Remote
public interface TimedCompare {

    /** The score of the best local alignment of the two sequences, and the nanoseconds that it took. */
    @Async(window = 128)
    long[] timedScore(String query, String known);
}
