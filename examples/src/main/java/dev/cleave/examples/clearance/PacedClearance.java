package dev.cleave.examples.clearance;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A work server of given pace: computes each distance, then waits until the job has taken as long as it is to take, so that five
 * of them fit on two processors. Parts that are not there are loaded first, which takes its own time.
 *
 * <p>A wait ends late by what the scheduler takes to wake a thread. The emulated server knows no such delay: a job that was
 * already queued when the one before it ended counts from when that one should have ended.
 *
 * <p>Computes one distance at a time.
 */
public final class PacedClearance implements Clearance {

    /** A job that begins this soon after the one before was queued: to ask for one takes longer. */
    private static final long QUEUED_NANOS = 200_000;

    private static final Assembly ASSEMBLY = Assembly.generate(Assembly.PAIRS); // what the file server has

    private final Parts parts;
    private final long paceNanos;
    private long lastDue = System.nanoTime(); // guarded by this
    private long lastEnd = lastDue - 2 * QUEUED_NANOS; // guarded by this

    /**
     * Creates the server that the options of its replica describe.
     *
     * @param options {@code pace} and {@code load}: the microseconds that a distance and the loading of a part take; {@code
     *     room}: how many parts are kept
     */
    public PacedClearance(Map<String, String> options) throws IOException {
        paceNanos = nanos(options, "pace");
        parts = new Parts(ASSEMBLY, nanos(options, "load"), Integer.parseInt(option(options, "room")));
    }

    @Override
    public synchronized double[] between(int run, int region, int part, int other) {
        long now = System.nanoTime();
        long begin = now - lastEnd < QUEUED_NANOS ? lastDue : now;
        parts.begin(run);
        long before = parts.loads();
        Mesh one = parts.get(part);
        Mesh two = parts.get(other);
        long due = begin + (System.nanoTime() - now) + paceNanos;
        double distance = one.distance(two);
        Pace.waitUntil(due);
        lastDue = due;
        lastEnd = System.nanoTime();
        return new double[] {distance, (due - begin) / 1e9, parts.loads() - before};
    }

    private static long nanos(Map<String, String> options, String key) {
        return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(option(options, key)));
    }

    private static String option(Map<String, String> options, String key) {
        String value = options.get(key);
        if (value == null || options.size() != 3) {
            throw new IllegalArgumentException("options: " + options.keySet() + " (expected: pace, load and room)");
        }
        return value;
    }
}
