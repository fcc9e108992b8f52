package dev.cleave.examples.nbody;

import java.util.Arrays;
import java.util.Random;

/** Particles as numbers in a row: x, y, z and mass of each. */
final class Particles {

    /** Numbers of a particle. */
    static final int NUMBERS = 4;

    /** Numbers of a force. */
    static final int AXES = 3;

    private static final long SEED = 1996; // any will do, as long as all processes have the same

    private Particles() {}

    /** Returns {@code count} particles, the same in every process: in a cube of side 1, of masses from 0.5 to 1.5. */
    static double[] random(int count) {
        Random random = new Random(SEED);
        double[] particles = new double[count * NUMBERS];
        for (int i = 0; i < particles.length; i++) {
            particles[i] = i % NUMBERS < AXES ? random.nextDouble() : 0.5 + random.nextDouble();
        }
        return particles;
    }

    /** One of some pieces of nearly equal size. */
    static double[] piece(double[] particles, int piece, int pieces) {
        int count = particles.length / NUMBERS;
        return Arrays.copyOfRange(
                particles, begin(count, piece, pieces) * NUMBERS, begin(count, piece + 1, pieces) * NUMBERS);
    }

    /** The first particle of a piece. */
    static int begin(int count, int piece, int pieces) {
        return (int) ((long) count * piece / pieces);
    }

    /** How far forces are from others, at most, in proportion to the greatest of those. */
    static double error(double[] forces, double[] expected) {
        if (forces.length != expected.length) {
            return Double.NaN;
        }
        double greatest = 0;
        double farthest = 0;
        for (int i = 0; i < expected.length; i++) {
            greatest = Math.max(greatest, Math.abs(expected[i]));
            farthest = Math.max(farthest, Math.abs(forces[i] - expected[i])); // no number if either is none
        }
        return farthest / greatest;
    }
}
