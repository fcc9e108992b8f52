package dev.cleave.broker.simulation;

import dev.cleave.replica.Attempts;
import org.jspecify.annotations.Nullable;

/** One call of a client. */
final class SimulatedCall {

    private static final int MOST_RECALLS = 16;

    private final long number;
    private final boolean idempotent;
    private final long beganNanos;
    private final long expiresAt;
    private Attempts history = Attempts.NONE;
    private String replica = "";
    private @Nullable SimulatedLink link;
    private long id;
    private @Nullable Origin origin;
    private int recalls;
    private int sent;
    private boolean doubtful;
    private boolean ended;

    /**
     * Where it was sent.
     *
     * @param connection the number of the link
     * @param id its number there
     */
    record Origin(long connection, long id) {}

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

    /** Where to ask for it when its link is gone, the first time and the next ones; null if that has been done too often. */
    @Nullable
    Origin recalled(SimulatedLink from) {
        if (origin == null) {
            origin = new Origin(from.number(), id);
        }
        return ++recalls > MOST_RECALLS ? null : origin;
    }

    /** It is sent, not asked for. */
    void sent() {
        sent++;
        origin = null;
    }

    /** How often it was sent. */
    int timesSent() {
        return sent;
    }

    /** It was lost where it may have been executed, and goes on. */
    void isInDoubt() {
        doubtful = true;
    }

    /** Whether it may have been executed where it has been before. */
    boolean isDoubtful() {
        return doubtful;
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
