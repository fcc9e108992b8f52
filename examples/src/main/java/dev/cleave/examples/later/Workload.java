package dev.cleave.examples.later;

/** A case of the measurement.
 *
 * @param size rows and columns of both matrices
 * @param squares how often the first one is squared: the paper's p
 * @param network between caller and server
 */
public record Workload(int size, int squares, Network network) implements Question {

    /** The number of the paper's seconds that pass in one of ours at least: about the speed-up of today's machines. */
    public static final int FASTER = 40;

    /** Multiplications and additions that a machine of the paper did in a second, about: a square of 100 by 100 took it 20 ms. */
    private static final double PAPER_RATE = 50e6;

    /** How long it is to take at most, in our seconds. */
    private static final double MOST_SECONDS = 2;

    @Override
    public String label() {
        return size + "x" + size + "/p=" + squares + "/" + network.id();
    }

    @Override
    public String command() {
        return size + " " + squares + " " + network.id();
    }

    /** The number of the paper's seconds that pass in one of ours: by this factor link and machine are faster. */
    public int scale() {
        double seconds = 2 * network.seconds(bytes()) + squares * Math.pow(size, 3) / PAPER_RATE;
        return (int) Math.max(FASTER, Math.ceil(seconds / MOST_SECONDS));
    }

    /**
     * The rows of squares that are computed: all if today's machines are as fast as the scale, else correspondingly
     * fewer.
     */
    public int rows() {
        return (int) Math.max(1, Math.round((double) squares * size * FASTER / scale()));
    }

    /** The bytes of a matrix. */
    public long bytes() {
        return (long) size * size * Double.BYTES;
    }
}
