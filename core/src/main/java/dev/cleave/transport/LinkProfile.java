package dev.cleave.transport;

import java.time.Duration;

/**
 * The delay and rate of an emulated link for the frames of one connection.
 *
 * @param delay how long a frame travels, each way
 * @param bytesPerSecond how many bytes enter the link in a second, each way; 0 = without limit
 * @param perReply how long each REPLY frame occupies the link in addition; replies queue one after the other, while
 * both ends go on computing
 */
public record LinkProfile(Duration delay, long bytesPerSecond, Duration perReply) {

    /** Checks its components. */
    public LinkProfile {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: not negative)");
        }
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("bytesPerSecond: " + bytesPerSecond + " (expected: 0, or more)");
        }
        if (perReply.isNegative()) {
            throw new IllegalArgumentException("perReply: " + perReply + " (expected: not negative)");
        }
    }

    /** How long a frame occupies the link before the next one may enter. */
    long occupancyNanos(int bytes, boolean reply) {
        long sending = bytesPerSecond == 0 ? 0 : Math.round(bytes * 1e9 / bytesPerSecond);
        return sending + (reply ? perReply.toNanos() : 0);
    }
}
