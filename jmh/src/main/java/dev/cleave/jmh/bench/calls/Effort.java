package dev.cleave.jmh.bench.calls;

import java.util.concurrent.TimeUnit;

/** The effort of a turn.
 *
 * @param nanos how long it measures, if its least number of calls does not take longer
 * @param divisor the factor by which bulk values are smaller
 */
public record Effort(long nanos, int divisor) {

    /** Enough for figures. */
    public static final Effort USUAL = millis(400);

    /** Enough for a first look. */
    public static final Effort QUICK = millis(100);

    /** A few calls with small values, to see that all of it works. */
    public static final Effort TINY = new Effort(0, 1024);

    /** Checks its components. */
    public Effort {
        if (nanos < 0 || divisor < 1) {
            throw new IllegalArgumentException("nanos: " + nanos + ", divisor: " + divisor + " (expected: 0.., 1..)");
        }
    }

    private static Effort millis(long millis) {
        return new Effort(TimeUnit.MILLISECONDS.toNanos(millis), 1);
    }

    /** Reads what {@link #words} has written. */
    public static Effort of(String nanos, String divisor) {
        return new Effort(Long.parseLong(nanos), Integer.parseInt(divisor));
    }

    /** This, as a question to a client. */
    public String words() {
        return nanos + " " + divisor;
    }
}
