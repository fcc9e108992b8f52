package dev.cleave.rt;

import org.jspecify.annotations.Nullable;

/** Takes the time of one activation of a place, for the {@link SelfComparison} of that place. Confined to one thread. */
final class Trial {

    private final SelfComparison comparison;
    private final SelfComparison.Way way;
    private final long begunAt = System.nanoTime();
    private long reached;
    private long leastLatency = Long.MAX_VALUE;
    private boolean hasEnded;

    private Trial(SelfComparison comparison, SelfComparison.Way way) {
        this.comparison = comparison;
        this.way = way;
    }

    /** Begins to take the time of an activation; null if the comparison needs no more times. */
    static @Nullable Trial begin(SelfComparison comparison, SelfComparison.Way way) {
        return comparison.measures() ? new Trial(comparison, way) : null;
    }

    /** Whether the activation sends nothing ahead. */
    boolean isAsWritten() {
        return way == SelfComparison.Way.TIMED;
    }

    /** The program has come to a call of the place. */
    void reached() {
        reached++;
    }

    /** A call that was sent ahead has ended, and took at most some nanoseconds. */
    void tookAtMost(SentCall call, long nanos) {
        comparison.sends(call.site());
        leastLatency = Math.min(leastLatency, nanos);
    }

    /** The activation is over. */
    void ended() {
        if (!hasEnded) {
            hasEnded = true;
            comparison.ended(way, reached, System.nanoTime() - begunAt, leastLatency);
        }
    }
}
