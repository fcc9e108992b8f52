package dev.cleave.examples.nbody;

import dev.cleave.transport.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The same forces by passing messages, as hand-written programs do: each process of a ring has a piece of the particles. A copy
 * of each piece goes round, with the forces on it, to half of the others, and the forces return to where they belong. (Fox et
 * al., Solving Problems on Concurrent Processors, 1988, chapter 9, where each pair of pieces meets once.)
 *
 * <p>Takes the number of particles and its own place. Prints {@code listening ENDPOINT}, then obeys the lines of its standard
 * input: {@code peers ENDPOINT...}, of all processes in the order of their places; and {@code run N}: the first N compute.
 * It answers {@code done}, the first with the seconds from the first message to the last, and the error. Ends with its input.
 */
public final class Ring {

    private static final long START = 1;
    private static final long MOVING = 2;
    private static final long HOME = 3;
    private static final long END = 4;
    private static final long GATHER = 1_000;

    private final Messages messages;
    private final int place;
    private final double[] particles;
    private List<Endpoint> peers = List.of();

    private Ring(Messages messages, int place, double[] particles) {
        this.messages = messages;
        this.place = place;
        this.particles = particles;
    }

    /** Takes the number of particles, and the place in the ring. */
    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        obey(Integer.parseInt(args[0]), Integer.parseInt(args[1]), commands, System.out);
    }

    /** Obeys commands until there are no more, and prints the answers. */
    static void obey(int count, int place, BufferedReader commands, PrintStream out)
            throws IOException, InterruptedException {
        double[] particles = Particles.random(count);
        try (Messages messages = Messages.open("ring-" + place)) {
            Ring ring = new Ring(messages, place, particles);
            double[] expected = place == 0 ? new Gravity().within(particles) : new double[0];
            out.println("listening " + messages.endpoint());
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                List<String> words = List.of(line.split(" "));
                if (words.get(0).equals("peers")) {
                    ring.peers = words.stream().skip(1).map(Endpoint::parse).toList();
                } else {
                    out.println(ring.run(Integer.parseInt(words.get(1)), expected));
                }
            }
        }
    }

    private String run(int size, double[] expected) throws InterruptedException {
        double[] own = Particles.piece(particles, place, size);
        if (place > 0) {
            messages.receive(START);
        }
        long begin = System.nanoTime();
        if (place + 1 < size) {
            messages.send(peers.get(place + 1), START);
        }
        double[] forces = forces(own, size);
        if (place > 0) {
            messages.send(peers.get(0), END);
            messages.send(peers.get(0), GATHER + place, forces);
            return "done";
        }
        for (int i = 1; i < size; i++) {
            messages.receive(END);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double error = Particles.error(gather(forces, size), expected);
        return String.format(Locale.ROOT, "done %.6f %.3e", seconds, error);
    }

    /** The forces on the own piece. */
    private double[] forces(double[] own, int size) throws InterruptedException {
        double[] forces = new Gravity().within(own);
        int count = own.length / Particles.NUMBERS;
        Gravity.Group mine = new Gravity.Group(own, forces);
        double[] moving = own;
        double[] onMoving = new double[count * Particles.AXES];
        int hops = size / 2;
        for (int hop = 1; hop <= hops; hop++) {
            messages.send(peers.get((place + 1) % size), MOVING, joined(moving, onMoving));
            double[] came = messages.receive(MOVING);
            int particlesIn = came.length / (Particles.NUMBERS + Particles.AXES);
            moving = Arrays.copyOf(came, particlesIn * Particles.NUMBERS);
            onMoving = Arrays.copyOfRange(came, moving.length, came.length);
            Gravity.Group others = new Gravity.Group(moving, onMoving);
            if (2 * hop < size) {
                Gravity.add(mine, 0, count, others);
            } else if (place < hops) { // in a ring of even size the last two meet twice: each computes one half
                Gravity.add(mine, 0, count / 2, others);
            } else {
                Gravity.add(others, particlesIn / 2, particlesIn, mine);
            }
        }
        if (hops > 0) {
            messages.send(peers.get(Math.floorMod(place - hops, size)), HOME, onMoving);
            double[] home = messages.receive(HOME);
            for (int i = 0; i < home.length; i++) {
                forces[i] += home[i];
            }
        }
        return forces;
    }

    private double[] gather(double[] own, int size) throws InterruptedException {
        double[] all = Arrays.copyOf(own, particles.length / Particles.NUMBERS * Particles.AXES);
        int at = own.length;
        for (int i = 1; i < size; i++) {
            double[] piece = messages.receive(GATHER + i);
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        return all;
    }

    private static double[] joined(double[] first, double[] second) {
        double[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }
}
