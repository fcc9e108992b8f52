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
     * @param run the number of the run; a new run begins without loaded parts
     * @param region the region of the smaller part: parts of one region have neighbours in common
     * @param part a part
     * @param other another part
     * @return the distance; the seconds that the server was busy with it; the number of parts that it had to load
     */
    @Async(window = 256)
    @Idempotent
    double[] between(int run, int region, int part, int other);
}
