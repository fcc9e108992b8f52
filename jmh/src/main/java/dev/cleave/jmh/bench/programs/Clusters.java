package dev.cleave.jmh.bench.programs;

import java.util.Arrays;

/** k-means; a remote service measures the distances. */
final class Clusters {

    private final Distances distances;
    private final double[][] points;

    Clusters(Distances distances, double[][] points) {
        this.distances = distances;
        this.points = points;
    }

    String find(int clusters, int rounds) {
        double[][] centres = Arrays.copyOf(points, clusters);
        for (int round = 0; round < rounds; round++) {
            double[][] sums = new double[clusters][points[0].length];
            int[] counts = new int[clusters];
            for (double[] point : points) {
                int nearest = nearest(point, centres);
                counts[nearest]++;
                for (int d = 0; d < point.length; d++) {
                    sums[nearest][d] += point[d];
                }
            }
            for (int k = 0; k < clusters; k++) {
                if (counts[k] > 0) {
                    for (int d = 0; d < sums[k].length; d++) {
                        sums[k][d] /= counts[k];
                    }
                    centres[k] = sums[k];
                }
            }
        }
        return Arrays.deepToString(centres) + "\n";
    }

    private int nearest(double[] point, double[][] centres) {
        int nearest = 0;
        double least = Double.MAX_VALUE;
        for (int k = 0; k < centres.length; k++) {
            double distance = distances.between(point, centres[k]);
            if (distance < least) {
                least = distance;
                nearest = k;
            }
        }
        return nearest;
    }
}
