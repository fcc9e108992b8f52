package dev.cleave.examples.clearance;

/**
 * The surface of a part as triangles.
 *
 * @param triangles their corners, {@link Triangles#NUMBERS} numbers each
 * @param boxes the least and greatest x, y and z of each
 */
record Mesh(double[] triangles, double[] boxes) {

    private static final int BOX = 6;

    /** The triangles of a surface. */
    static Mesh of(double[] triangles) {
        int count = triangles.length / Triangles.NUMBERS;
        double[] boxes = new double[count * BOX];
        for (int i = 0; i < count; i++) {
            for (int axis = 0; axis < 3; axis++) {
                int at = i * Triangles.NUMBERS + axis;
                double low = Math.min(triangles[at], Math.min(triangles[at + 3], triangles[at + 6]));
                double high = Math.max(triangles[at], Math.max(triangles[at + 3], triangles[at + 6]));
                boxes[i * BOX + axis] = low;
                boxes[i * BOX + 3 + axis] = high;
            }
        }
        return new Mesh(triangles, boxes);
    }

    int size() {
        return boxes.length / BOX;
    }

    /** The least distance to another part. Triangles whose boxes are farther than what has been found are not looked at. */
    double distance(Mesh other) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < size(); i++) {
            for (int j = 0; j < other.size(); j++) {
                if (squareBetweenBoxes(i * BOX, other.boxes, j * BOX) < least) {
                    least = Math.min(least, square(i, other, j));
                }
            }
        }
        return Math.sqrt(least);
    }

    /** Computes the distance from all pairs of triangles, to check the other method. */
    double distanceOfAll(Mesh other) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < size(); i++) {
            for (int j = 0; j < other.size(); j++) {
                least = Math.min(least, square(i, other, j));
            }
        }
        return Math.sqrt(least);
    }

    private double square(int i, Mesh other, int j) {
        return Triangles.squareBetween(triangles, i * Triangles.NUMBERS, other.triangles, j * Triangles.NUMBERS);
    }

    private double squareBetweenBoxes(int i, double[] others, int j) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double above = boxes[i + axis] - others[j + 3 + axis];
            double below = others[j + axis] - boxes[i + 3 + axis];
            double gap = Math.max(0, Math.max(above, below));
            square += gap * gap;
        }
        return square;
    }
}
