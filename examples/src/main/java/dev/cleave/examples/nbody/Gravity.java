package dev.cleave.examples.nbody;

/**
 * Forces by Newton's law of gravitation, softened at short distance so that no pair outweighs all others (Aarseth, 1963). Each
 * pair is computed once for both (Newton's third law).
 */
public final class Gravity implements Forces {

    private static final double SOFTENING = 1e-4; // square of a hundredth of the cube's side

    @Override
    public double[] between(double[] ones, double[] others) {
        int first = forces(ones);
        double[] forces = new double[first + forces(others)];
        add(new Group(ones, forces, 0), 0, ones.length / Particles.NUMBERS, new Group(others, forces, first));
        return forces;
    }

    @Override
    public double[] within(double[] particles) {
        double[] forces = new double[forces(particles)];
        int count = particles.length / Particles.NUMBERS;
        for (int i = 0; i < count; i++) {
            addRow(particles, i, forces, 0, particles, i + 1, count, forces, 0);
        }
        return forces;
    }

    /**
     * Particles, and where their forces are added up.
     *
     * @param particles as {@link Particles} lays them out
     * @param forces x, y and z of each
     * @param at where the forces of the first particle are
     */
    record Group(double[] particles, double[] forces, int at) {}

    /** Adds the forces of some particles of a group and all of another one on each other. */
    static void add(Group ones, int from, int to, Group others) {
        int count = others.particles().length / Particles.NUMBERS;
        for (int i = from; i < to; i++) {
            addRow(
                    ones.particles(),
                    i,
                    ones.forces(),
                    ones.at(),
                    others.particles(),
                    0,
                    count,
                    others.forces(),
                    others.at());
        }
    }

    private static int forces(double[] particles) {
        return particles.length / Particles.NUMBERS * Particles.AXES;
    }

    /** The forces of a particle and some others on each other; the parameters stay in registers of the loop. */
    private static void addRow(
            double[] ones,
            int i,
            double[] onOnes,
            int atOnes,
            double[] others,
            int from,
            int to,
            double[] onOthers,
            int atOthers) {
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
            int at = atOthers + j * 3;
            onOthers[at] -= forceX;
            onOthers[at + 1] -= forceY;
            onOthers[at + 2] -= forceZ;
        }
        int at = atOnes + i * 3;
        onOnes[at] += sumX;
        onOnes[at + 1] += sumY;
        onOnes[at + 2] += sumZ;
    }
}
