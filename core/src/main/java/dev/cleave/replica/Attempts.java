package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The history of one call: the replicas that it was sent to, and so the replicas that it may be sent to next.
 *
 * <p>An attempt counts once, however often its server is asked for the outcome afterwards. An attempt does not count if
 * its server, when asked, says that the call was not executed.
 *
 * @param tried the names of the replicas it has been sent to
 * @param made how many attempts count
 * @param isLastCounted whether the last one is among them
 */
public record Attempts(Set<String> tried, int made, boolean isLastCounted) {

    /** The most times that a call is sent. */
    public static final int MOST = 3;

    /** The history of a call that has not been sent. */
    public static final Attempts NONE = new Attempts(Set.of(), 0, false);

    /** Copies the names. */
    public Attempts {
        tried = Set.copyOf(tried);
    }

    /**
     * Whether a call may be sent again at all after a failed attempt.
     *
     * @param failure how the attempt ended
     * @param idempotent whether the method may be executed again
     */
    public static boolean mayGoOn(FailureClass failure, boolean idempotent) {
        return switch (failure) {
            case UNSENT, BUSY -> true;
            case LOST -> idempotent;
            case FINAL -> false;
        };
    }

    /** This history with one more attempt, which has failed. */
    public Attempts and(String replica) {
        Set<String> more = new HashSet<>(tried);
        more.add(replica);
        return new Attempts(more, made + 1, true);
    }

    /**
     * This history after the last attempt has failed, or its server has reported its failure.
     *
     * @param replica the replica of the attempt; empty if that is not known
     * @param isAsked whether the server was asked for it over another connection
     */
    public Attempts failed(FailureClass failure, String replica, boolean isAsked) {
        Attempts all = isLastCounted ? this : and(replica);
        return isAsked && failure == FailureClass.UNSENT ? new Attempts(all.tried, all.made - 1, false) : all;
    }

    /** This history when one more attempt begins. */
    public Attempts begun() {
        return new Attempts(tried, made, false);
    }

    /** Says whether no further attempt is allowed. */
    public boolean areAllMade() {
        return made >= MOST;
    }

    /**
     * Returns the replicas to which a call may be sent again after its last attempt has failed; empty if the call must
     * fail.
     *
     * <p>A call that may have been executed is sent again only if it is idempotent. It goes to replicas that it has not
     * been sent to; if there is none, it goes to the same ones over a new connection, unless they were busy.
     *
     * @param failure how the last attempt ended
     * @param idempotent whether the method may be executed again
     * @param remainingNanos the time until the call's deadline
     * @param replicas the service, as known now
     */
    public List<Replicas.Replica> next(
            FailureClass failure, boolean idempotent, long remainingNanos, ReplicaSet replicas) {
        if (!mayGoOn(failure, idempotent) || areAllMade() || remainingNanos <= 0) {
            return List.of();
        }
        List<Replicas.Replica> fresh = replicas.liveBut(replica -> tried.contains(replica.name()));
        return fresh.isEmpty() && failure != FailureClass.BUSY ? replicas.live() : fresh;
    }
}
