package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * An emulated network link, for tests and experiments.
 *
 * @param delay propagation, each way; zero for none
 * @param bytesPerSecond rate, each way; 0 for unlimited
 * @param perReply how long each reply occupies the link; zero for no time
 */
public record EmulatedLink(Duration delay, long bytesPerSecond, Duration perReply) {

    /** Checks its components. */
    public EmulatedLink {
        requireNonNull(delay, "delay");
        requireNonNull(perReply, "perReply");
    }
}
