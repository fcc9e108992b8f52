package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How soon a call may be issued again, so that the calls of a replica that is gone do not fall on the others all at once, time
 * and again.
 *
 * <p>A bucket of {@value #BURST} tokens that fills at {@value #PER_SECOND} a second; each call that is issued again takes one,
 * and waits for it where there is none. A call that is issued again for the second time or more waits besides for a random part
 * of a pause that doubles each time, up to {@value #LONGEST_PAUSE_MILLIS} ms. Thread-safe.
 */
public final class RetryBudget {

    static final int BURST = 500;
    static final int PER_SECOND = 50;
    static final long FIRST_PAUSE_MILLIS = 10;
    static final long LONGEST_PAUSE_MILLIS = 320;

    private static final long NANOS_PER_TOKEN = 1_000_000_000L / PER_SECOND;

    private final LongSupplier nanos;
    private final RandomGenerator random;

    /** When the bucket would be full if nothing more was taken. */
    @GuardedBy("this")
    private long fullAt;

    /**
     * Creates a full one.
     *
     * @param nanos the clock
     * @param random spreads calls
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
     * @return how long it has to wait for it, in nanoseconds; 0 if it may be issued again at once
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

    /** Whether a token is there. */
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
