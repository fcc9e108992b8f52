package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the replica for each call of one service. A policy has state, so each service has its own policy. One thread
 * at a time calls it ({@link Balancer}) if it counts calls, otherwise many.
 */
public interface BalancePolicy {

    /**
     * Picks the replica for the next call; null if none may take one more now.
     *
     * @param candidates the replicas that the call may go to, in the order of their names; not empty
     * @param inFlight the counts and loads of the replicas; only if the policy {@linkplain #counts counts}
     * @param key the key of the call; null if it has none
     */
    Replicas.@Nullable Replica pick(List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key);

    /**
     * The number of calls that a replica would get now, one after the other, if it were the only one. 0 if it has as many as it is
     * to have; unbounded if the policy lets no call wait.
     */
    default int room(String replica, InFlightCounts inFlight) {
        return Integer.MAX_VALUE;
    }

    /** Whether the policy uses the counts of calls at the replicas. */
    default boolean counts() {
        return true;
    }

    /** Whether the policy uses the loads that replicas report. */
    default boolean needsReports() {
        return false;
    }

    /** Whether the policy also chooses among the waiting calls, and not only a replica for the first of them. */
    default boolean chooses() {
        return false;
    }

    /**
     * Chooses the waiting call to be placed next.
     *
     * @param keys the keys of the waiting calls in order of arrival, null for a call without a key; at least one, read
     * as far as needed
     * @return the index of the call, from 0; -1 if no replica may take one more now
     */
    default int choose(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, Iterator<? extends @Nullable Object> keys) {
        return 0;
    }

    /** Whether the policy weighs calls by the time that they take: its keys are {@link Work}, where the caller knows it. */
    default boolean weighs() {
        return false;
    }

    /** Whether the policy learns the times of calls that have no priority, from the types and sizes of their arguments. */
    default boolean learns() {
        return false;
    }

    /** Whether replicas must report which calls have begun. */
    default boolean pulls() {
        return false;
    }
}
