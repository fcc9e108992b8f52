package dev.cleave.replica;

import dev.cleave.metrics.Durations;

/** Measures a percentile of the durations of calls, to an eighth; older calls count less and less. Thread-safe. */
public final class AnswerTimes {

    /** With fewer calls than this the percentile is unknown. */
    public static final int FEW = 100;

    private final int perMille;
    private final Durations durations = new Durations();
    private volatile long nanos = -1;

    /**
     * Creates a measurement without calls.
     *
     * @param perMille the percentile, in calls of a thousand
     */
    public AnswerTimes(int perMille) {
        this.perMille = perMille;
    }

    /** Adds the duration of a call, in nanoseconds. */
    public void add(long took) {
        if (durations.add(took) % FEW == 0) {
            nanos = durations.quantile(perMille);
        }
    }

    /** The percentile of the durations, in nanoseconds; -1 if it is not known yet. */
    public long nanos() {
        return nanos;
    }
}
