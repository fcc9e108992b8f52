package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Limits the rate at which calls are sent again, so that the calls of a lost replica do not overload the others.
 *
 * <p>A bucket of {@value #BURST} tokens fills at {@value #PER_SECOND} a second; each call that is sent again takes a
 * token, or waits for one. From its third attempt on a call also waits for a random part of a pause that doubles each
 * time, up to {@value #LONGEST_PAUSE_MILLIS} ms. Thread-safe.
 */
public final class RetryBudget {

    static final int BURST = 500;
    static final int PER_SECOND = 50;
    static final long FIRST_PAUSE_MILLIS = 10;
    static final long LONGEST_PAUSE_MILLIS = 320;

    private static final long NANOS_PER_TOKEN = 1_000_000_000L / PER_SECOND;

    private final LongSupplier nanos;
    private final RandomGenerator random;

    /** The time at which the bucket is full if no more tokens are taken. */
    @GuardedBy("this")
    private long fullAt;

    /**
     * Creates a full bucket.
     *
     * @param nanos the clock
     * @param random chooses the pauses
     */
    public RetryBudget(LongSupplier nanos, RandomGenerator random) {
        this.nanos = requireNonNull(nanos, "nanos");
        this.random = requireNonNull(random, "random");
        fullAt = nanos.getAsLong();
    }

    /**
     * Takes a token.
     *
     * @param made how often the call has been sent
     * @return how long the call must wait, in nanoseconds; 0 if it may be sent again at once
     */
    public synchronized long take(int made) {
        long now = nanos.getAsLong();
        if (fullAt - now < 0) {
            fullAt = now;
        }
        fullAt += NANOS_PER_TOKEN;
        long wait = Math.max(0, fullAt - now - BURST * NANOS_PER_TOKEN);
        return wait + pause(made);
    }

    /** Says whether a token is available. */
    public synchronized boolean hasToken() {
        return fullAt - nanos.getAsLong() <= (BURST - 1) * NANOS_PER_TOKEN;
    }

    private long pause(int made) {
        if (made < 2) {
            return 0;
        }
        long most = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(made - 2, 10));
        return random.nextLong(most * 1_000_000) + 1;
    }
}
