package dev.cleave.jmh.bench.programs;

import dev.cleave.Pure;
import dev.cleave.Remote;

/** Measures distances. */
@Remote
@Pure
public interface Distances {

    /** The distance of two points. */
    double between(double[] left, double[] right);
}
