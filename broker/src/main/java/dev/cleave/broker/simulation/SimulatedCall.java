package dev.cleave.broker.simulation;

import dev.cleave.replica.Attempts;
import org.jspecify.annotations.Nullable;

/** One call of a client. */
final class SimulatedCall {

    private final long number;
    private final boolean idempotent;
    private final long beganNanos;
    private final long expiresAt;
    private Attempts history = Attempts.NONE;
    private String replica = "";
    private @Nullable SimulatedLink link;
    private long id;
    private boolean ended;

    SimulatedCall(long number, boolean idempotent, long beganNanos, long deadlineNanos) {
        this.number = number;
        this.idempotent = idempotent;
        this.beganNanos = beganNanos;
        this.expiresAt = beganNanos + deadlineNanos;
    }

    long number() {
        return number;
    }

    boolean isIdempotent() {
        return idempotent;
    }

    long beganNanos() {
        return beganNanos;
    }

    long expiresAt() {
        return expiresAt;
    }

    Attempts history() {
        return history;
    }

    String replica() {
        return replica;
    }

    /** It is to go to a replica. */
    void goesTo(String name) {
        replica = name;
    }

    /** It waits on a link. */
    void on(SimulatedLink at, long number) {
        link = at;
        id = number;
    }

    /** It does not wait there any more; false if it did not. */
    boolean leaves() {
        SimulatedLink at = link;
        link = null;
        return at != null && at.take(id) != null;
    }

    /** It has been at its replica in vain. */
    void wasThere() {
        history = history.and(replica);
    }

    boolean hasEnded() {
        return ended;
    }

    /** Ends it; false if it has ended before. */
    boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }
}
