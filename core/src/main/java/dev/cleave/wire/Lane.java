package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

/**
 * What binds a call to others of its caller: a server runs the calls of one lane one at a time, in the order in which
 * they come.
 *
 * @param id names the lane among those of its caller
 * @param kind what else holds for its calls
 * @param isFirst whether this call opens the lane; a later one in a sticky lane that nobody knows is not executed
 */
public record Lane(long id, Kind kind, boolean isFirst) {

    /** Sorts of lanes; a REQUEST has their numbers, from 0 in this order. */
    public enum Kind {
        /** Calls of one thread; each goes to any replica, and is in order among those that go there. */
        THREAD,
        /**
         * Calls that all go to one replica until {@link LaneEnd}; behind one that was not executed none is.
         */
        GROUP,
        /** As {@link #GROUP}, and behind the first call that fails none is executed. */
        CHAIN,
        /** As {@link #CHAIN}, and a result may be a {@link PendingArgument} of a later call. */
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
