package dev.cleave.client;

import dev.cleave.call.Expression;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Carrier;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.Placement;
import org.jspecify.annotations.Nullable;

/** Where the calls of one service go. Thread-safe. */
interface ServiceRoute {

    /**
     * A way that a call can take.
     *
     * @param link whom it goes to first
     * @param replica the replica at the end of the link, or null if the broker chooses
     * @param peer whom the broker at the end of the link gives it to; 0 if that follows from the service
     * @param placement the account of the call at the replica, or null if none is kept
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

        /** The replica has said that the call has begun. */
        void begun() {
            if (placement != null) {
                placement.begun();
            }
        }

        /** The call is on this way no longer. */
        void leave() {
            if (placement != null) {
                placement.end();
            }
        }
    }

    /**
     * What a new call asks for.
     *
     * @param key what calls that belong together have in common, or null
     * @param patienceNanos how long it may wait for room; 0 if it has to go at once
     */
    record Wish(@Nullable Object key, long patienceNanos) {}

    /** The ways of calls that something carries; these if there is no choice. */
    default ServiceRoute by(Carrier carrier) {
        return this;
    }

    /** The way of every new call as long as there is no choice; null if one has to be {@linkplain #first asked for}. */
    default @Nullable Hop only() {
        return null;
    }

    /**
     * The way for a new call. Blocks while no replica may take one more, if the call is patient.
     *
     * @throws NoHopException if there is none
     */
    Hop first(Wish wish);

    /** What is called the key of a call of a method, to be computed from its arguments; null if nobody asks for it. */
    default @Nullable Expression key(RemoteMethod method) {
        return null;
    }

    /**
     * The way for a call that has failed, or null if it must fail.
     *
     * @param history where it has been
     */
    @Nullable
    Hop next(Attempts history, FailureClass failure, boolean idempotent, long remainingNanos);

    /** The way to a replica that a call has been given to; null if it is not known or cannot be reached. */
    default @Nullable Hop to(String replica) {
        return null;
    }

    /**
     * A way to the same life of the replica, or of the broker, at the end of a way that has broken; null if that is not known any
     * more, or there is no time. May block.
     *
     * @throws NoHopException if it cannot be reached now
     */
    default @Nullable Hop again(Hop broken, long remainingNanos) {
        return null;
    }

    /** Whether a call that is on a way might be served by another replica. */
    default boolean hasOther(Hop than) {
        return false;
    }

    /** Whether a call that is on a way may be sent to one more replica while it is. */
    default boolean canHedge(Hop on) {
        return hasOther(on);
    }

    /** Says whether a call that is not idempotent can ever be sent again. */
    boolean hasChoice();
}
