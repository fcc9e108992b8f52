package dev.cleave.replica;

import dev.cleave.Selection;
import dev.cleave.wire.Replicas;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the replica for each call of one service. Has no state but its own, so each service has its own policy; asked by
 * one thread at a time ({@link Balancer}) if it counts, else by many.
 */
public interface BalancePolicy {

    /**
     * The replica for the next call; null if none may take one more now.
     *
     * @param candidates those that it may go to, in the order of their names; not empty
     * @param burden what they have to do; only if the policy {@linkplain #counts counts}
     * @param key what calls that belong together have in common; null if that is not known
     */
    Replicas.@Nullable Replica pick(List<Replicas.Replica> candidates, Burden burden, @Nullable Object key);

    /** Whether it asks for what replicas have to do. */
    default boolean counts() {
        return true;
    }

    /** Whether it asks for what replicas have reported. */
    default boolean needsReports() {
        return false;
    }

    /** Whether it chooses among calls that wait, and not only replicas for the first of them. */
    default boolean chooses() {
        return false;
    }

    /**
     * Which of the calls that wait is to be placed next.
     *
     * @param keys theirs, in the order in which they came, null for one that has none; at least one, read as far as needed
     * @return the place of a key, from 0; -1 if no replica may take one more now
     */
    default int choose(List<Replicas.Replica> candidates, Burden burden, Iterator<? extends @Nullable Object> keys) {
        return 0;
    }

    /** Whether replicas are to say which calls have begun. */
    default boolean pulls() {
        return false;
    }

    /**
     * One after the other.
     *
     * @param first where to begin; callers that make few calls begin at random, so that they do not all meet at one
     *     replica
     */
    static BalancePolicy roundRobin(int first) {
        return new RoundRobin(first);
    }

    /** One after the other, beginning with the first. */
    static BalancePolicy roundRobin() {
        return roundRobin(0);
    }

    /**
     * In fixed proportion, evenly interleaved: while the candidates stay the same, after any number of picks each
     * replica's count differs by less than 1 from its share.
     *
     * @param weights by the name of the replica; one that is not named has weight 1, one of weight 0 gets calls only while
     *     there is none with a greater weight
     */
    static BalancePolicy staticRatio(Map<String, Integer> weights) {
        return new StaticRatio(weights);
    }

    /**
     * To each as it asks for more: no replica ever has more than {@code window} calls, and a result is the demand for the
     * next call. Of those that have room the one with the fewest calls is picked.
     */
    static BalancePolicy demand(int window) {
        return new Demand(window);
    }

    /**
     * To each as its workers begin what they have: no replica ever has more than {@code group} calls that it has not begun,
     * however many it works on. Of those that have room the one with the fewest calls is picked. A replica that does not say
     * what it has begun gets the next call with a result.
     *
     * <p>A call goes where the last one with its key went, if there is room; and of calls that wait a replica is given the
     * first whose key it had last, else the first whose key nobody had yet, else the first of all.
     */
    static BalancePolicy pull(int group) {
        return new PullPolicy(group);
    }

    /** As the user's own class says. */
    static BalancePolicy selection(Selection selection) {
        return new UserSelection(selection);
    }

    /** The less loaded of two that are chosen at random: so callers who know the same do not all go to the same one. */
    static BalancePolicy leastLoaded(RandomGenerator random) {
        return new LeastLoaded(random);
    }

    /**
     * Calls of one key to one replica, as long as that has at most a quarter more calls than all have on average; else to
     * the next one in an order that is the key's own. When a replica goes only its keys move. Calls without a key go to the
     * one with the fewest calls.
     */
    static BalancePolicy affinity() {
        return new Affinity();
    }
}
