package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import org.jspecify.annotations.Nullable;

/** Where the calls of one service go. Thread-safe. */
interface ServiceRoute {

    /** A way that a call can take: a link, and the replica at its end unless the broker chooses. */
    record Hop(Link link, @Nullable String replica) {}

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
