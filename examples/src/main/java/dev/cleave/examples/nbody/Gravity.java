package dev.cleave.examples.nbody;

import java.util.Arrays;

/**
 * Forces by Newton's law of gravitation, softened at short distance so that no pair outweighs all others (Aarseth, 1963). Each
 * pair is computed once for both (Newton's third law).
 */
public final class Gravity implements Forces {

    private static final double SOFTENING = 1e-4; // square of a hundredth of the cube's side

    @Override
    public double[] between(double[] ones, double[] others) {
        Group first = Group.of(ones);
        Group second = Group.of(others);
        add(first, 0, first.count(), second);
        double[] forces = Arrays.copyOf(first.forces(), first.forces().length + second.forces().length);
        System.arraycopy(second.forces(), 0, forces, first.forces().length, second.forces().length);
        return forces;
    }

    @Override
    public double[] within(double[] particles) {
        Group group = Group.of(particles);
        for (int i = 0; i < group.count(); i++) {
            addRow(particles, i, group.forces(), particles, i + 1, group.count(), group.forces());
        }
        return group.forces();
    }

    /**
     * Particles, and where their forces are added up.
     *
     * @param particles as {@link Particles} lays them out
     * @param forces x, y and z of each
     */
    record Group(double[] particles, double[] forces) {

        /** Particles on which no force has been added yet. */
        static Group of(double[] particles) {
            return new Group(particles, new double[particles.length / Particles.NUMBERS * Particles.AXES]);
        }

        int count() {
            return particles.length / Particles.NUMBERS;
        }
    }

    /** Adds the forces of some particles of a group and all of another one on each other. */
    static void add(Group ones, int from, int to, Group others) {
        for (int i = from; i < to; i++) {
            addRow(ones.particles(), i, ones.forces(), others.particles(), 0, others.count(), others.forces());
        }
    }

    /** The forces of a particle and some others on each other; the parameters stay in registers of the loop. */
    private static void addRow(
            double[] ones, int i, double[] onOnes, double[] others, int from, int to, double[] onOthers) {
        double x = ones[i * 4];
        double y = ones[i * 4 + 1];
        double z = ones[i * 4 + 2];
        double mass = ones[i * 4 + 3];
        double sumX = 0;
        double sumY = 0;
        double sumZ = 0;
        for (int j = from; j < to; j++) {
            double dx = others[j * 4] - x;
            double dy = others[j * 4 + 1] - y;
            double dz = others[j * 4 + 2] - z;
            double square = dx * dx + dy * dy + dz * dz + SOFTENING;
            double strength = mass * others[j * 4 + 3] / (square * Math.sqrt(square));
            double forceX = strength * dx;
            double forceY = strength * dy;
            double forceZ = strength * dz;
            sumX += forceX;
            sumY += forceY;
            sumZ += forceZ;
            onOthers[j * 3] -= forceX;
            onOthers[j * 3 + 1] -= forceY;
            onOthers[j * 3 + 2] -= forceZ;
        }
        onOnes[i * 3] += sumX;
        onOnes[i * 3 + 1] += sumY;
        onOnes[i * 3 + 2] += sumZ;
    }
}
