package dev.cleave.jmh.bench.programs;

import dev.cleave.Pure;
import dev.cleave.Remote;

/** Compares texts. */
@Remote
@Pure
public interface Compare {

    /** How many letters stand at the same place in both. */
    int score(String left, String right);
}
