package dev.cleave.examples.nbody;

import dev.cleave.Async;
import dev.cleave.Idempotent;
import dev.cleave.Remote;

/** Computes forces of particles on each other. */
@Remote
public interface Forces {

    /**
     * The forces of two groups on each other.
     *
     * @param ones particles, as {@link Particles} lays them out
     * @param others other particles
     * @return x, y and z of the force on each of the ones, then on each of the others
     */
    @Async(window = 64)
    @Idempotent
    double[] between(double[] ones, double[] others);

    /**
     * The forces within a group.
     *
     * @param particles as {@link Particles} lays them out
     * @return x, y and z of the force on each
     */
    @Async(window = 64)
    @Idempotent
    double[] within(double[] particles);
}
