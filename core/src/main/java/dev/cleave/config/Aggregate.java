package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How much is gathered before it is sent: calls at the caller, replies at the server.
 *
 * @param bytes when so many wait, all are sent
 * @param delay when one has waited so long, all are sent; zero if each goes at once
 */
public record Aggregate(int bytes, Duration delay) {

    /** The most bytes that may be gathered. */
    public static final int MOST_BYTES = 1 << 20;

    /** The longest time that a frame may be kept. */
    public static final Duration LONGEST = Duration.ofMillis(100);

    /** Bytes where only the delay is said. */
    public static final int USUAL_BYTES = 64 << 10;

    /** The delay where only the bytes are said. */
    public static final Duration USUAL_DELAY = Duration.ofNanos(50_000);

    /** Checks its components. */
    public Aggregate {
        requireNonNull(delay, "delay");
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: 1B to 1MiB)");
        }
        if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: 0us to 100ms)");
        }
    }
}
