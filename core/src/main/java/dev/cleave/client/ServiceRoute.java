package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import org.jspecify.annotations.Nullable;

/** Where the calls of one service go. Thread-safe. */
interface ServiceRoute {

    /**
     * A way that a call can take.
     *
     * @param link whom it goes to first
     * @param replica the replica at the end of the link, or null if the broker chooses
     * @param peer whom the broker at the end of the link gives it to; 0 if that follows from the service
     */
    record Hop(Link link, @Nullable String replica, int peer) {

        /** A way to a service. */
        Hop(Link link, @Nullable String replica) {
            this(link, replica, 0);
        }
    }

    /**
     * The way for a new call.
     *
     * @throws NoHopException if there is none
     */
    Hop first();

    /**
     * The way for a call that has failed, or null if it must fail.
     *
     * @param history where it has been
     */
    @Nullable
    Hop next(Attempts history, FailureClass failure, boolean idempotent, long remainingNanos);

    /** Says whether a call that is not idempotent can ever be sent again. */
    boolean hasChoice();
}
