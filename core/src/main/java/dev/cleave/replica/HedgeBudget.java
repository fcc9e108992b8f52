package dev.cleave.replica;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the number of calls that are also sent to a second replica: {@value #BURST} at once, and then one for each
 * {@value #CALLS} calls that are made, so that a replica which is slow for all calls does not double the work of the
 * others. Thread-safe.
 */
public final class HedgeBudget {

    static final int BURST = 20;
    static final int CALLS = 20;

    private final AtomicInteger parts = new AtomicInteger(BURST * CALLS);

    /** Counts a call that may be sent to a second replica. */
    public void called() {
        if (parts.get() < BURST * CALLS) {
            parts.incrementAndGet();
        }
    }

    /** Takes the right to send one call to a second replica; false if the budget is used up. */
    public boolean tryTake() {
        for (int had = parts.get(); had >= CALLS; had = parts.get()) {
            if (parts.compareAndSet(had, had - CALLS)) {
                return true;
            }
        }
        return false;
    }
}
