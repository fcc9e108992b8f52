package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How peers detect that one of them is frozen though its connection stands.
 *
 * @param every the interval at which a silent peer is pinged
 * @param suspect the silence after which a peer gets no new calls, and idempotent calls leave it
 * @param down the silence after which a peer is given up with all its calls in flight
 */
public record Pings(Duration every, Duration suspect, Duration down) {

    /** The shortest interval: with a shorter one a garbage collection looks like the end of a process. */
    static final Duration SHORTEST = Duration.ofMillis(10);

    /** Every second; suspect after three, down after six. */
    public static final Pings DEFAULT = new Pings(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(6));

    /** Checks its components. */
    public Pings {
        requireNonNull(every, "every");
        requireNonNull(suspect, "suspect");
        requireNonNull(down, "down");
        if (every.compareTo(SHORTEST) < 0 || suspect.compareTo(every) < 0 || down.compareTo(suspect) <= 0) {
            throw new IllegalArgumentException("every " + text(every) + ", suspect " + text(suspect) + ", down "
                    + text(down) + " (expected: every at least " + text(SHORTEST)
                    + ", suspect not less than every, down more than suspect)");
        }
    }

    /** Returns the same times with twice as many pings: silence is noticed sooner after its limit. */
    public Pings halved() {
        Duration half = every.dividedBy(2);
        return new Pings(half.compareTo(SHORTEST) < 0 ? SHORTEST : half, suspect, down);
    }

    /** The number of intervals of silence after which a peer is suspect. */
    public int suspectAfter() {
        return intervals(suspect);
    }

    /** The number of intervals of silence after which a peer is down; more than {@link #suspectAfter}. */
    public int downAfter() {
        return Math.max(suspectAfter() + 1, intervals(down));
    }

    private int intervals(Duration silence) {
        long nanos = every.toNanos();
        return Math.toIntExact(Math.min(Integer.MAX_VALUE / 2, (silence.toNanos() + nanos - 1) / nanos));
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
