package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleSupplier;

/** {@link Clusters} by hand: all distances of a round at once. */
final class ClustersByHand {

    private final Distances distances;
    private final double[][] points;

    ClustersByHand(Distances distances, double[][] points) {
        this.distances = distances;
        this.points = points;
    }

    String staged(int clusters, int rounds) {
        double[][] centres = Arrays.copyOf(points, clusters);
        for (int round = 0; round < rounds; round++) {
            List<Pending<Double>> all = new ArrayList<>();
            for (double[] point : points) {
                for (double[] centre : centres) {
                    all.add(Cleave.async(() -> distances.between(point, centre)));
                }
            }
            Iterator<Pending<Double>> next = all.iterator();
            centres = moved(centres, () -> next.next().await());
        }
        return Arrays.deepToString(centres) + "\n";
    }

    String threaded(Threads threads, int clusters, int rounds) {
        double[][] centres = Arrays.copyOf(points, clusters);
        for (int round = 0; round < rounds; round++) {
            List<Task<Double>> all = new ArrayList<>();
            for (double[] point : points) {
                for (double[] centre : centres) {
                    all.add(threads.start(() -> distances.between(point, centre)));
                }
            }
            Iterator<Task<Double>> next = all.iterator();
            centres = moved(centres, () -> next.next().join());
        }
        return Arrays.deepToString(centres) + "\n";
    }

    /** The centres of what is nearest to each of {@code centres}, by the distances of all points to all of them. */
    private double[][] moved(double[][] centres, DoubleSupplier measured) {
        double[][] sums = new double[centres.length][points[0].length];
        int[] counts = new int[centres.length];
        for (double[] point : points) {
            int nearest = 0;
            double least = Double.MAX_VALUE;
            for (int k = 0; k < centres.length; k++) {
                double distance = measured.getAsDouble();
                if (distance < least) {
                    least = distance;
                    nearest = k;
                }
            }
            counts[nearest]++;
            for (int d = 0; d < point.length; d++) {
                sums[nearest][d] += point[d];
            }
        }
        double[][] moved = centres.clone();
        for (int k = 0; k < centres.length; k++) {
            if (counts[k] > 0) {
                for (int d = 0; d < sums[k].length; d++) {
                    sums[k][d] /= counts[k];
                }
                moved[k] = sums[k];
            }
        }
        return moved;
    }
}
