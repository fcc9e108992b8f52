package dev.cleave.examples.later;

import java.util.Locale;

/** A case of the measurement of results.
 *
 * @param use the use of the result
 * @param size rows and columns of a matrix with the number of elements of the result
 * @param network between caller and servers
 */
public record ResultWorkload(Use use, int size, Network network) implements Question {

    /** How long one transfer is to take at most, in our seconds. */
    private static final double MOST_SECONDS = 0.1;

    /** The uses of a result. */
    public enum Use {
        /** Computes with it, about as long as it takes to come. */
        RESULT,
        /** Passes it on to another server; it was itself made of an argument that is as long. */
        PIPELINE;

        /** Its name in lower case. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static ResultWorkload of(String[] words) {
        return new ResultWorkload(
                Use.valueOf(words[0].toUpperCase(Locale.ROOT)), Integer.parseInt(words[1]), Network.of(words[2]));
    }

    @Override
    public String label() {
        return use.id() + "/" + size + "x" + size + "/" + network.id();
    }

    @Override
    public String command() {
        return use.id() + " " + size + " " + network.id();
    }

    /** How many of the paper's seconds pass in one of ours. */
    public int scale() {
        double seconds = network.seconds((long) count() * Double.BYTES);
        return (int) Math.max(Workload.FASTER, Math.ceil(seconds / MOST_SECONDS));
    }

    /** How many elements the result has. */
    public int count() {
        return size * size;
    }
}
