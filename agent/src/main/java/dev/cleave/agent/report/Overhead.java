package dev.cleave.agent.report;

import org.jspecify.annotations.Nullable;

/**
 * The overhead of calls in a run: of the time from the program's first call to the end of its last wait, the part in which a thread
 * was blocked for a call. It is the most that calls can have cost: servers were computing in a part of it that this process does not
 * know.
 */
public final class Overhead {

    private final long spanNanos; // from the first call to the end of the last wait
    private final long blockedNanos; // of these, how long at least one thread was blocked

    private Overhead(long spanNanos, long blockedNanos) {
        this.spanNanos = spanNanos;
        this.blockedNanos = blockedNanos;
    }

    /**
     * Reads the text of the core, both times separated by a tab; null if no thread has waited.
     *
     * @throws RuntimeException if the text is another one
     */
    public static @Nullable Overhead parse(String text) {
        int tab = text.indexOf('\t');
        long span = Long.parseLong(text.substring(0, tab));
        return span == 0 ? null : new Overhead(span, Long.parseLong(text.substring(tab + 1)));
    }

    /** The time from the first call to the end of the last wait. */
    public long spanNanos() {
        return spanNanos;
    }

    long blockedNanos() {
        return blockedNanos;
    }

    /** The overhead in tenths of a percent. */
    double percent() {
        return Math.round(1000.0 * blockedNanos / spanNanos) / 10.0;
    }

    /** Says it in one line. */
    String sentence() {
        return "overhead: at most " + percent() + " %: blocked for calls for " + Wording.millis(blockedNanos) + " of "
                + Wording.millis(spanNanos) + ", from the first call to the end of the last wait";
    }
}
