package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * When gathered frames are sent: calls at the caller, replies at the server.
 *
 * @param bytes all are sent once this many bytes wait
 * @param delay all are sent once the first has waited for this time; zero to send each frame at once
 */
public record Aggregate(int bytes, Duration delay) {

    /** The most bytes that may be gathered. */
    public static final int MOST_BYTES = 1 << 20;

    /** The longest time that a frame may be kept. */
    public static final Duration LONGEST = Duration.ofMillis(100);

    /** The bytes if only the delay is set. */
    public static final int USUAL_BYTES = 64 << 10;

    /** The delay if only the bytes are set. */
    public static final Duration USUAL_DELAY = Duration.ofNanos(50_000);

    /** The connection measures its frames, and gathers as the form of communication that suits them. */
    public static final Aggregate MEASURED = new Aggregate(0, Duration.ZERO);

    /** Whether the connection chooses it by what it measures. */
    public boolean isMeasured() {
        return bytes == 0;
    }

    /** Checks its components. */
    public Aggregate {
        requireNonNull(delay, "delay");
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: 1B to 1MiB)");
        }
        if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: 0us to 100ms)");
        }
    }
}
