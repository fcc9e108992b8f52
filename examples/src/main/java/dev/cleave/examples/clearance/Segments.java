package dev.cleave.examples.clearance;

/** The distance between two segments (Ericson, Real-Time Collision Detection, 2005, 5.1.9). */
final class Segments {

    private Segments() {}

    /** The square of the distance; each segment goes from one place in its array to another, x, y and z at each. */
    static double square(double[] a, int from, int to, double[] b, int begin, int end) {
        double ux = a[to] - a[from];
        double uy = a[to + 1] - a[from + 1];
        double uz = a[to + 2] - a[from + 2];
        double vx = b[end] - b[begin];
        double vy = b[end + 1] - b[begin + 1];
        double vz = b[end + 2] - b[begin + 2];
        double wx = a[from] - b[begin];
        double wy = a[from + 1] - b[begin + 1];
        double wz = a[from + 2] - b[begin + 2];
        double uu = ux * ux + uy * uy + uz * uz;
        double vv = vx * vx + vy * vy + vz * vz;
        double vw = vx * wx + vy * wy + vz * wz;
        double uw = ux * wx + uy * wy + uz * wz;
        double uv = ux * vx + uy * vy + uz * vz;
        double across = uu * vv - uv * uv;
        double s = across > 0 ? clamped((uv * vw - uw * vv) / across) : 0; // parallel: any point will do
        double t = vv > 0 ? (uv * s + vw) / vv : 0;
        if (t < 0 || t > 1 || vv == 0) {
            t = clamped(t);
            s = uu > 0 ? clamped((uv * t - uw) / uu) : 0;
        }
        double dx = wx + s * ux - t * vx;
        double dy = wy + s * uy - t * vy;
        double dz = wz + s * uz - t * vz;
        return dx * dx + dy * dy + dz * dz;
    }

    private static double clamped(double share) {
        return Math.max(0, Math.min(1, share));
    }
}
