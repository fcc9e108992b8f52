package dev.cleave.examples.nbody;

import dev.cleave.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The client: computes the forces on all particles, one call for each pair of pieces, as if they were computed here.
 *
 * <p>Takes the number of particles. Prints {@code ready}, then obeys the lines of its standard input: {@code sequential}, or
 * {@code SERVICE PIECES}. It answers {@code done SECONDS ERROR}, and ends with its input.
 */
public final class Field {

    private Field() {}

    /** Takes the number of particles. */
    public static void main(String[] args) throws IOException {
        double[] particles = Particles.random(Integer.parseInt(args[0]));
        double[] expected = new Gravity().within(particles);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Node node = Node.connect()) {
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ");
                long begin = System.nanoTime();
                double[] forces = words.length == 1
                        ? new Gravity().within(particles)
                        : forces(node.lookup(words[0], Forces.class), particles, Integer.parseInt(words[1]));
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.out.printf(Locale.ROOT, "done %.6f %.3e%n", seconds, Particles.error(forces, expected));
            }
        }
    }

    /** The forces on all particles, which are cut into pieces. */
    static double[] forces(Forces service, double[] particles, int pieces) {
        double[][] blocks = new double[pieces][];
        for (int i = 0; i < pieces; i++) {
            blocks[i] = Particles.piece(particles, i, pieces);
        }
        int jobs = pieces * (pieces + 1) / 2;
        int[] ones = new int[jobs];
        int[] others = new int[jobs];
        int job = 0;
        for (int distance = pieces - 1; distance >= 0; distance--) { // the short jobs, within a piece, come last
            for (int i = 0; i + distance < pieces; i++) {
                ones[job] = i;
                others[job++] = i + distance;
            }
        }
        double[][] parts = parts(service, blocks, ones, others);
        double[] forces = new double[particles.length / Particles.NUMBERS * Particles.AXES];
        for (int i = 0; i < jobs; i++) {
            int first = blocks[ones[i]].length / Particles.NUMBERS * Particles.AXES;
            add(parts[i], 0, forces, at(particles, ones[i], pieces), first);
            add(parts[i], first, forces, at(particles, others[i], pieces), parts[i].length - first);
        }
        return forces;
    }

    private static int at(double[] particles, int piece, int pieces) {
        return Particles.begin(particles.length / Particles.NUMBERS, piece, pieces) * Particles.AXES;
    }

    private static double[][] parts(Forces service, double[][] blocks, int[] ones, int[] others) {
        double[][] parts = new double[ones.length][];
        for (int i = 0; i < ones.length; i++) {
            parts[i] = ones[i] == others[i]
                    ? service.within(blocks[ones[i]])
                    : service.between(blocks[ones[i]], blocks[others[i]]);
        }
        return parts;
    }

    private static void add(double[] part, int from, double[] sum, int at, int length) {
        for (int i = 0; i < length; i++) {
            sum[at + i] += part[from + i];
        }
    }
}
