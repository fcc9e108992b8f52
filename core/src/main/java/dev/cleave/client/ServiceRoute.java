package dev.cleave.client;

import dev.cleave.call.Expression;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Carrier;
import dev.cleave.ref.Target;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.Placement;
import org.jspecify.annotations.Nullable;

/** Chooses the ways of the calls of one service. Thread-safe. */
interface ServiceRoute {

    /**
     * A way that a call can take.
     *
     * @param link the link to send over
     * @param replica the replica at the end of the link, or null if the broker chooses
     * @param peer the peer behind the broker at the end of the link; 0 if the service decides it
     * @param placement the account of the call at its replica, or null if none is kept
     */
    record Hop(
            Link link,
            @Nullable String replica,
            int peer,
            @Nullable Placement placement) {

        /** A way to a service. */
        Hop(Link link, @Nullable String replica) {
            this(link, replica, 0, null);
        }

        /** A way to an object of a node. */
        Hop(Link link, @Nullable String replica, int peer) {
            this(link, replica, peer, null);
        }

        /** Whether an account is kept of the call. */
        boolean isCounted() {
            return placement != null && placement.isCounted();
        }

        /** Whether the replica is to say when the call has begun. */
        boolean isPulled() {
            return placement != null && placement.isPulled();
        }

        /** Records that the replica has begun the call. */
        void begun() {
            if (placement != null) {
                placement.begun();
            }
        }

        /** Ends the account: the call has left this way. */
        void leave() {
            if (placement != null) {
                placement.end();
            }
        }
    }

    /**
     * The wishes of a new call.
     *
     * @param key equal for calls that go to one replica, or null
     * @param patienceNanos how long it may wait for room; 0 if it has to go at once
     * @param isAwaited whether its caller waits for its result, and so also for the first replica of an expected service
     */
    record Wish(@Nullable Object key, long patienceNanos, boolean isAwaited) {}

    /** Returns the route over a carrier; this route if there is no choice. */
    default ServiceRoute by(Carrier carrier) {
        return this;
    }

    /** Returns the way of every new call while there is no choice; null if {@link #first} has to be asked. */
    default @Nullable Hop only() {
        return null;
    }

    /**
     * Chooses the way of a new call. Blocks while no replica may take one more, if the call is patient.
     *
     * @throws NoHopException if there is none
     */
    Hop first(Wish wish);

    /**
     * Chooses the way of a new call, as {@link #first}; null if the call waits for room at a replica and is sent later.
     *
     * @param held the call, which is taken over if it waits
     * @throws NoHopException if there is none
     */
    default @Nullable Hop firstOrHeld(Wish wish, WaitingCall<Hop> held) {
        return first(wish);
    }

    /** Whether calls wait in a line for room at a replica, and not the threads that make them. */
    default boolean linesUp() {
        return false;
    }

    /** Whether the policy learns the times of calls from the types and sizes of their arguments. */
    default boolean learns() {
        return false;
    }

    /** Returns the expression that computes the key of a call from its arguments; null if no policy needs it. */
    default @Nullable Expression key(RemoteMethod method) {
        return null;
    }

    /**
     * Chooses the way of a call that has failed; null if it must fail.
     *
     * @param history its earlier attempts
     */
    @Nullable
    Hop next(Attempts history, FailureClass failure, boolean idempotent, long remainingNanos);

    /** Returns the name under which an attempt over a way is remembered; empty if there is none. */
    default String place(Hop way) {
        String replica = way.replica();
        return replica == null ? "" : replica;
    }

    /** Returns the way to a replica that a call was moved to; null if it is unknown or cannot be reached. */
    default @Nullable Hop to(String replica) {
        return null;
    }

    /** Handles that the peer at the end of a way has sent a call elsewhere, since it had no room for it. */
    default void isFull(Hop way) {}

    /** Returns the way to the replica that has an object; null if none has it, or it cannot be reached. */
    default @Nullable Hop near(Target object) {
        return null;
    }

    /**
     * Returns a way to the same incarnation of the replica, or broker, at the end of a broken way; null if it is
     * unknown, or there is no time. May block.
     *
     * @throws NoHopException if it cannot be reached now
     */
    default @Nullable Hop again(Hop broken, long remainingNanos) {
        return null;
    }

    /** Whether a replica of the service is at the end of a link that was dialled for another service. */
    default boolean leadsOver(Link link) {
        return false;
    }

    /** Returns where the peer at the end of a link is dialled; empty if it is not a server that others can dial. */
    default String endpoint(Link link) {
        return "";
    }

    /** Whether a call that is on a way might be served by another replica. */
    default boolean hasOther(Hop than) {
        return false;
    }

    /** Whether a call may be hedged while it is on a way. */
    default boolean canHedge(Hop on) {
        return hasOther(on);
    }

    /** Says whether a call that is not idempotent can ever be sent again. */
    boolean hasChoice();
}
