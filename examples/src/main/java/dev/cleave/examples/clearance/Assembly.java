package dev.cleave.examples.clearance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A generated assembly, the same in every process: a few beams through all of it, some housings, and many small parts. The pairs to
 * be computed are those whose boxes are closest, so a beam is in many pairs and a small part in few, and they come in no
 * particular order.
 */
final class Assembly {

    /** The pairs that the paper computes. */
    static final int PAIRS = 1_493;

    static final int PARTS = 180;

    private static final long SEED = 2000; // any will do, as long as all processes have the same
    private static final double[] SIDES = {10, 6, 3};
    private static final int[] REGIONS = {5, 3, 1}; // along each side
    private static final int BEAMS = 5;
    private static final int HOUSINGS = 30;

    private final List<Part> parts;
    private final List<Pair> pairs;
    private final Map<Integer, Mesh> files = new ConcurrentHashMap<>();

    /**
     * A part before it is tessellated: an ellipsoid.
     *
     * @param center x, y and z of its middle
     * @param radii along x, y and z
     * @param steps the fineness of its tessellation
     */
    private record Part(double[] center, double[] radii, int steps) {

        double size() {
            return radii[0] * radii[1] * radii[2];
        }

        double gap(Part other) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                double apart = Math.abs(center[axis] - other.center[axis]) - radii[axis] - other.radii[axis];
                square += apart > 0 ? apart * apart : 0;
            }
            return square;
        }

        int region() {
            int region = 0;
            for (int axis = 0; axis < 3; axis++) {
                int along = (int) (center[axis] / SIDES[axis] * REGIONS[axis]);
                region = region * REGIONS[axis] + Math.max(0, Math.min(REGIONS[axis] - 1, along));
            }
            return region;
        }
    }

    /**
     * Two parts whose distance is to be computed.
     *
     * @param region the region of the smaller one
     * @param part a part
     * @param other another part
     */
    record Pair(int region, int part, int other) {}

    private Assembly(List<Part> parts, List<Pair> pairs) {
        this.parts = parts;
        this.pairs = pairs;
    }

    /** An assembly of 180 parts, with as many of the closest pairs. */
    static Assembly generate(int pairs) {
        Random random = new Random(SEED);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            parts.add(part(random, i));
        }
        record Close(double gap, Pair pair) {}
        List<Close> all = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            for (int j = i + 1; j < PARTS; j++) {
                Part smaller = parts.get(i).size() < parts.get(j).size() ? parts.get(i) : parts.get(j);
                all.add(new Close(parts.get(i).gap(parts.get(j)), new Pair(smaller.region(), i, j)));
            }
        }
        all.sort(Comparator.comparingDouble(Close::gap)); // stable
        List<Pair> closest =
                new ArrayList<>(all.stream().limit(pairs).map(Close::pair).toList());
        Collections.shuffle(closest, random);
        return new Assembly(List.copyOf(parts), List.copyOf(closest));
    }

    List<Pair> pairs() {
        return pairs;
    }

    /** The surface of a part, as its file has it. Thread-safe. */
    Mesh mesh(int number) {
        return files.computeIfAbsent(number, n -> tessellated(parts.get(n)));
    }

    private static Mesh tessellated(Part part) {
        int rings = part.steps();
        int around = 2 * part.steps();
        List<double[]> corners = new ArrayList<>();
        for (int ring = 0; ring < rings; ring++) {
            for (int side = 0; side < around; side++) {
                double[] a = point(part, ring, side);
                double[] b = point(part, ring + 1, side);
                double[] c = point(part, ring + 1, side + 1);
                double[] d = point(part, ring, side + 1);
                if (ring < rings - 1) {
                    corners.addAll(List.of(a, b, c));
                }
                if (ring > 0) {
                    corners.addAll(List.of(a, c, d));
                }
            }
        }
        double[] triangles = new double[corners.size() * 3];
        for (int i = 0; i < corners.size(); i++) {
            System.arraycopy(corners.get(i), 0, triangles, i * 3, 3);
        }
        return Mesh.of(triangles);
    }

    private static double[] point(Part part, int ring, int side) {
        double down = Math.PI * ring / part.steps();
        double around = Math.PI * side / part.steps();
        return new double[] {
            part.center()[0] + part.radii()[0] * Math.sin(down) * Math.cos(around),
            part.center()[1] + part.radii()[1] * Math.sin(down) * Math.sin(around),
            part.center()[2] + part.radii()[2] * Math.cos(down)
        };
    }

    private static Part part(Random random, int number) {
        double[] center = new double[3];
        double[] radii = new double[3];
        for (int axis = 0; axis < 3; axis++) {
            center[axis] = random.nextDouble() * SIDES[axis];
            radii[axis] = number < BEAMS
                    ? 0.3
                    : number < BEAMS + HOUSINGS ? 0.2 + 0.4 * random.nextDouble() : 0.05 + 0.08 * random.nextDouble();
        }
        if (number < BEAMS) {
            int along = number % 3;
            center[along] = SIDES[along] / 2;
            radii[along] = SIDES[along] * 0.45;
        }
        return new Part(center, radii, number < BEAMS ? 8 : number < BEAMS + HOUSINGS ? 5 : 3);
    }
}
