package dev.cleave.lab.simulation;

import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a client. */
final class SimulatedCall {

    private static final int MOST_RECALLS = 16;

    private final long number;
    private final boolean idempotent;
    private final long beganNanos;
    private final long expiresAt;
    private Attempts history = Attempts.NONE;
    private String replica = "";
    private @Nullable SimulatedLink link;
    private @Nullable SimulatedLink last; // that it was on
    private long id;
    private @Nullable Origin origin;
    private int recalls;
    private int sent;
    private final List<String> replicas = new ArrayList<>();
    private boolean doubtful;
    private boolean ended;

    /**
     * The connection over which it was sent.
     *
     * @param connection the number of the connection
     * @param id its number on it
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

    /** The replica to ask for its outcome when its connection has ended, each time; null if it was asked too often. */
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
        replicas.add(replica);
        origin = null;
        history = history.begun();
    }

    /** The replicas that it was sent to, one for each time. */
    List<String> replicas() {
        return replicas;
    }

    /** The number of times that it was sent to a replica where it may have begun. */
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
        last = at;
        id = number;
    }

    /** It does not wait there any more; false if it did not. */
    boolean leaves() {
        SimulatedLink at = link;
        link = null;
        return at != null && at.take(id) != null;
    }

    /** The link that it was on last, if that is gone; else null. */
    @Nullable
    SimulatedLink broken() {
        return last != null && last.isClosed() ? last : null;
    }

    /** It has been at its replica in vain. */
    void failed(FailureClass failure) {
        boolean isAsked = origin != null;
        history = history.failed(failure, replica, isAsked);
        if (isAsked && failure == FailureClass.UNSENT) {
            sent--;
        }
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
