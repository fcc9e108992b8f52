package dev.cleave.examples.clearance;

import dev.cleave.Async;
import dev.cleave.Idempotent;
import dev.cleave.Remote;

/** Computes how close parts of the assembly are to each other. */
@Remote
public interface Clearance {

    /**
     * The least distance between two parts.
     *
     * @param run what is loaded belongs to one run; another one begins with nothing loaded
     * @param region where the smaller one is: parts of one region have neighbours in common
     * @param part a part
     * @param other another part
     * @return the distance; the seconds that the server was busy with it; how many of the two it had to load
     */
    @Async(window = 256)
    @Idempotent
    double[] between(int run, int region, int part, int other);
}
