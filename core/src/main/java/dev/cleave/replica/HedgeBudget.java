package dev.cleave.replica;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls may be sent to one more replica: {@value #BURST} at once, and then one for each {@value #CALLS} that are made, so
 * that a replica which is slow for all calls does not double the work of the others. Thread-safe.
 */
public final class HedgeBudget {

    static final int BURST = 20;
    static final int CALLS = 20;

    private final AtomicInteger parts = new AtomicInteger(BURST * CALLS);

    /** A call has been made that may be sent to one more replica. */
    public void called() {
        if (parts.get() < BURST * CALLS) {
            parts.incrementAndGet();
        }
    }

    /** Takes the right to send one, if there is one left. */
    public boolean tryTake() {
        for (int had = parts.get(); had >= CALLS; had = parts.get()) {
            if (parts.compareAndSet(had, had - CALLS)) {
                return true;
            }
        }
        return false;
    }
}
