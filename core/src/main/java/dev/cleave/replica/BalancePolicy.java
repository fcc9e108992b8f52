package dev.cleave.replica;

import dev.cleave.Selection;
import dev.cleave.wire.Replicas;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
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

    /**
     * Picks one replica after the other.
     *
     * @param first the index to begin with; callers that make few calls begin at random, so that they do not all use
     * the same replica
     */
    static BalancePolicy roundRobin(int first) {
        return new RoundRobin(first);
    }

    /** Picks one replica after the other, beginning with the first. */
    static BalancePolicy roundRobin() {
        return roundRobin(0);
    }

    /**
     * Picks replicas in fixed proportions, evenly interleaved: while the candidates stay the same, after any number of
     * picks each replica's count differs by less than 1 from its share.
     *
     * @param weights by the name of the replica; a replica that is not named has weight 1, and a replica of weight 0
     * gets calls only if no candidate has a greater weight
     */
    static BalancePolicy staticRatio(Map<String, Integer> weights) {
        return new StaticRatio(weights);
    }

    /**
     * Gives no replica more than {@code window} calls: a result makes room for the next call. Picks the replica with
     * the fewest calls. Of calls with priorities a replica gets more than two only if it would otherwise wait for the next one:
     * a call that is sent early cannot go to a replica that comes to its end before.
     */
    static BalancePolicy demand(int window) {
        return new Demand(window);
    }

    /**
     * Gives no replica more than {@code group} calls that it has not begun, however many it runs. Picks the replica
     * with the fewest calls among those with room. A replica that does not report what it has begun gets the next call
     * with a result.
     *
     * <p>A call goes to the replica that had the last call with its key, if there is room; and of the waiting calls a
     * replica gets the first whose key it had last, else the first whose key no replica had yet, else the first of all.
     */
    static BalancePolicy pull(int group) {
        return new PullPolicy(group);
    }

    /**
     * Sends the longest of the waiting calls first, to the replica that has least to do. It predicts the times from those of
     * earlier calls of equal kind. A replica has no more calls waiting than it can run while the next one is on its way.
     */
    static BalancePolicy learned() {
        return new Learned();
    }

    /** Lets the user's own class select the replica. */
    static BalancePolicy selection(Selection selection) {
        return new UserSelection(selection);
    }

    /**
     * Picks the less loaded of two replicas chosen at random, so that callers with equal reports do not all pick the
     * same one. A replica has two calls of this process waiting, and those that it can run while the next one is on its way:
     * so the calls of a burst go where calls end.
     */
    static BalancePolicy leastLoaded(RandomGenerator random) {
        return new LeastLoaded(random);
    }

    /**
     * Sends calls of one key to one replica while it has at most a quarter more calls than the average; else to the
     * next replica in an order that depends on the key. When a replica leaves, only its keys move. Calls without a key
     * go to the replica with the fewest calls.
     */
    static BalancePolicy affinity() {
        return new Affinity();
    }
}
