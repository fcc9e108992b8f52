package dev.cleave.examples.clearance;

/**
 * The exact distance between two triangles: 0 if an edge of one goes through the other, else the least of the distances between
 * edges (nine pairs) and of corners to the other's plane where they are above it (six). (Ericson, Real-Time Collision Detection,
 * 2005, 5.1.) Triangles are nine numbers in a row: x, y and z of each corner.
 */
final class Triangles {

    /** Numbers of a triangle. */
    static final int NUMBERS = 9;

    private static final int AXES = 3;

    private Triangles() {}

    /** The square of the distance between two triangles, which begin at places in arrays. */
    static double squareBetween(double[] a, int p, double[] b, int q) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < AXES; i++) {
            int from = p + i * AXES;
            int to = p + (i + 1) % AXES * AXES;
            if (goesThrough(a, from, to, b, q)) {
                return 0;
            }
            for (int j = 0; j < AXES; j++) {
                least = Math.min(least, Segments.square(a, from, to, b, q + j * AXES, q + (j + 1) % AXES * AXES));
            }
            least = Math.min(least, squareAbove(a, from, b, q));
        }
        for (int j = 0; j < AXES; j++) {
            if (goesThrough(b, q + j * AXES, q + (j + 1) % AXES * AXES, a, p)) {
                return 0;
            }
            least = Math.min(least, squareAbove(b, q + j * AXES, a, p));
        }
        return least;
    }

    /** The square of the distance of a point to the plane of a triangle; infinite if the foot is outside the triangle. */
    private static double squareAbove(double[] a, int at, double[] t, int q) {
        Plane plane = new Plane(t, q);
        double height = plane.height(a, at);
        double square = plane.square();
        if (square == 0) {
            return Double.POSITIVE_INFINITY; // no triangle: its edges have been measured
        }
        double scale = height / square;
        boolean inside = plane.contains(
                a[at] - scale * plane.nx(), a[at + 1] - scale * plane.ny(), a[at + 2] - scale * plane.nz());
        return inside ? height * height / square : Double.POSITIVE_INFINITY;
    }

    private static boolean goesThrough(double[] a, int from, int to, double[] t, int q) {
        Plane plane = new Plane(t, q);
        double begin = plane.height(a, from);
        double end = plane.height(a, to);
        if (begin > 0 == end > 0 || begin == end) {
            return false;
        }
        double share = begin / (begin - end);
        return plane.contains(
                a[from] + share * (a[to] - a[from]),
                a[from + 1] + share * (a[to + 1] - a[from + 1]),
                a[from + 2] + share * (a[to + 2] - a[from + 2]));
    }

    /** The plane of a triangle, with a normal that is as long as twice its area. */
    private record Plane(double[] t, int q, double nx, double ny, double nz) {

        Plane(double[] t, int q) {
            this(t, q, normal(t, q, 1, 2), normal(t, q, 2, 0), normal(t, q, 0, 1));
        }

        private static double normal(double[] t, int q, int u, int v) {
            return (t[q + 3 + u] - t[q + u]) * (t[q + 6 + v] - t[q + v])
                    - (t[q + 3 + v] - t[q + v]) * (t[q + 6 + u] - t[q + u]);
        }

        double square() {
            return nx * nx + ny * ny + nz * nz;
        }

        double height(double[] a, int at) {
            return (a[at] - t[q]) * nx + (a[at + 1] - t[q + 1]) * ny + (a[at + 2] - t[q + 2]) * nz;
        }

        /** Whether a point of the plane is in the triangle: on the same side of all edges. */
        boolean contains(double x, double y, double z) {
            return side(0, 3, x, y, z) >= 0 && side(3, 6, x, y, z) >= 0 && side(6, 0, x, y, z) >= 0;
        }

        private double side(int from, int to, double x, double y, double z) {
            double ex = t[q + to] - t[q + from];
            double ey = t[q + to + 1] - t[q + from + 1];
            double ez = t[q + to + 2] - t[q + from + 2];
            double px = x - t[q + from];
            double py = y - t[q + from + 1];
            double pz = z - t[q + from + 2];
            return nx * (ey * pz - ez * py) + ny * (ez * px - ex * pz) + nz * (ex * py - ey * px);
        }
    }
}
