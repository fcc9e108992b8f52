package dev.cleave.examples.clearance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cleave.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class TrianglesTest {

    private static final double[] FLAT = {0, 0, 0, 4, 0, 0, 0, 4, 0};

    private static double distance(double[] a, double[] b) {
        double there = Math.sqrt(Triangles.squareBetween(a, 0, b, 0));
        assertThat(Math.sqrt(Triangles.squareBetween(b, 0, a, 0))).isCloseTo(there, within(1e-12));
        return there;
    }

    @Test
    void aCornerAboveTheFaceIsAsFarAsItIsHigh() {
        assertThat(distance(FLAT, new double[] {1, 1, 2, 1, 2, 7, 2, 1, 7})).isEqualTo(2);
    }

    @Test
    void aCornerBesideTheFaceIsMeasuredToTheEdge() {
        assertThat(distance(FLAT, new double[] {1, -3, 4, 1, -9, 4, 2, -9, 5})).isEqualTo(5);
    }

    @Test
    void edgesThatCrossAreMeasuredWhereTheyAreClosest() {
        assertThat(distance(FLAT, new double[] {2, -5, 1, 2, -0.5, 1, 2, -5, 9}))
                .isCloseTo(Math.hypot(0.5, 1), within(1e-12));
        assertThat(distance(new double[] {0, 0, 0, 2, 0, 0, 1, 0, -5}, new double[] {1, -1, 3, 1, 1, 3, 1, 0, 9}))
                .isEqualTo(3);
    }

    @Test
    void whatGoesThroughOrTouchesHasNoDistance() {
        assertThat(distance(FLAT, new double[] {1, 1, -1, 1, 1, 1, 9, 9, 0})).isZero();
        assertThat(distance(FLAT, new double[] {4, 0, 0, 9, 0, 0, 9, 1, 0})).isZero();
        assertThat(distance(FLAT, new double[] {1, 1, 0, 2, 1, 0, 1, 2, 0}))
                .as("inside, in the plane")
                .isZero();
    }

    @Test
    void trianglesWithoutAreaAreEdgesAndPoints() {
        assertThat(distance(FLAT, new double[] {1, 1, 3, 1, 1, 3, 1, 1, 3})).isEqualTo(3);
        assertThat(distance(new double[9], new double[] {0, 3, 4, 0, 3, 4, 0, 3, 4}))
                .isEqualTo(5);
    }

    /** The least over a fine grid on both, which is never less than the distance, and a little more. */
    @Test
    void noTwoPointsAreCloserThanTheDistance() {
        long seed = Seed.of(TrianglesTest.class);
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            double[] a = random.doubles(9).toArray();
            double[] b = random.doubles(9).map(x -> x + 0.5).toArray();
            double distance = distance(a, b);
            double least = 2;
            int steps = 24;
            for (int u = 0; u <= steps; u++) {
                for (int v = 0; u + v <= steps; v++) {
                    for (int s = 0; s <= steps; s++) {
                        for (int t = 0; s + t <= steps; t++) {
                            double square = 0;
                            for (int axis = 0; axis < 3; axis++) {
                                double here = point(a, axis, (double) u / steps, (double) v / steps);
                                double there = point(b, axis, (double) s / steps, (double) t / steps);
                                square += (here - there) * (here - there);
                            }
                            least = Math.min(least, Math.sqrt(square));
                        }
                    }
                }
            }
            assertThat(distance).as("seed %d", seed).isLessThanOrEqualTo(least + 1e-12);
            assertThat(distance).as("seed %d", seed).isGreaterThan(least - 3.0 / steps);
        }
    }

    private static double point(double[] t, int axis, double u, double v) {
        return t[axis] + u * (t[3 + axis] - t[axis]) + v * (t[6 + axis] - t[axis]);
    }
}
