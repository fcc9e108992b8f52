package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

/**
 * Orders a call among others of its caller: a server runs the calls of one lane one at a time, in order of arrival.
 *
 * @param id the number of the lane at its caller
 * @param kind the further rules for its calls
 * @param isFirst whether this call opens the lane; a later call in a sticky lane that the server does not know is not
 * executed
 */
public record Lane(long id, Kind kind, boolean isFirst) {

    /** Sorts of lanes; a REQUEST has their numbers, from 0 in this order. */
    public enum Kind {
        /** Calls of one thread; each goes to any replica, and keeps its order among the calls to that replica. */
        THREAD,
        /**
         * Calls that all go to one replica until {@link LaneEnd}; none is executed after one that was not executed.
         */
        GROUP,
        /** A {@link #GROUP} of which none is executed after the first call that fails. */
        CHAIN,
        /** A {@link #CHAIN} in which a result may be a {@link PendingArgument} of a later call. */
        DEPENDENT
    }

    /** Checks its components. */
    public Lane {
        requireNonNull(kind, "kind");
    }

    /** Whether all calls go to one replica. */
    public boolean isSticky() {
        return kind != Kind.THREAD;
    }

    /** Whether a failure keeps all later calls from being executed. */
    public boolean isChain() {
        return kind == Kind.CHAIN || kind == Kind.DEPENDENT;
    }

    /** Whether results are kept for later calls. */
    public boolean keepsResults() {
        return kind == Kind.DEPENDENT;
    }
}
