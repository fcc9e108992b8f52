package dev.cleave.concurrent;

import java.time.Duration;

/**
 * A moment by which something must have ended, on the clock of one {@link Timer}.
 *
 * @param atNanos the moment, as {@link Timer#nanos}
 */
public record Deadline(long atNanos) {

    /** The deadline that a duration from now sets. */
    public static Deadline in(Duration duration, Timer timer) {
        return new Deadline(timer.nanos() + duration.toNanos());
    }

    /** What remains, in nanoseconds; not positive if it has passed. */
    public long remainingNanos(Timer timer) {
        return atNanos - timer.nanos();
    }

    /** Says whether nothing remains. */
    public boolean hasPassed(Timer timer) {
        return remainingNanos(timer) <= 0;
    }
}
