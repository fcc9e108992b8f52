package dev.cleave.replica;

import dev.cleave.Selection;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Creates the policies by which replicas are chosen, each for one service. */
public final class BalancePolicies {

    private BalancePolicies() {}

    /**
     * Picks one replica after the other.
     *
     * @param first the index to begin with; callers that make few calls begin at random, so that they do not all use
     * the same replica
     */
    public static BalancePolicy roundRobin(int first) {
        return new RoundRobin(first);
    }

    /** Picks one replica after the other, beginning with the first. */
    public static BalancePolicy roundRobin() {
        return roundRobin(0);
    }

    /**
     * Picks replicas in fixed proportions, evenly interleaved: while the candidates stay the same, after any number of
     * picks each replica's count differs by less than 1 from its share.
     *
     * @param weights by the name of the replica; a replica that is not named has weight 1, and a replica of weight 0
     * gets calls only if no candidate has a greater weight
     */
    public static BalancePolicy staticRatio(Map<String, Integer> weights) {
        return new StaticRatio(weights);
    }

    /**
     * Gives no replica more than {@code window} calls: a result makes room for the next call. Picks the replica with
     * the fewest calls. Of calls with priorities a replica gets more than two only if it would otherwise wait for the next one:
     * a call that is sent early cannot go to a replica that comes to its end before.
     */
    public static BalancePolicy demand(int window) {
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
    public static BalancePolicy pull(int group) {
        return new PullPolicy(group);
    }

    /**
     * Sends the longest of the waiting calls first, to the replica that has least to do. It predicts the times from those of
     * earlier calls of equal kind. A replica has no more calls waiting than it can run while the next one is on its way.
     */
    public static BalancePolicy learned() {
        return new Learned();
    }

    /** Lets the user's own class select the replica. */
    public static BalancePolicy selection(Selection selection) {
        return new UserSelection(selection);
    }

    /**
     * Picks the less loaded of two replicas chosen at random, so that callers with equal reports do not all pick the
     * same one. A replica has two calls of this process waiting, and those that it can run while the next one is on its way:
     * so the calls of a burst go where calls end.
     */
    public static BalancePolicy leastLoaded(RandomGenerator random) {
        return new LeastLoaded(random);
    }

    /**
     * Sends calls of one key to one replica while it has at most a quarter more calls than the average; else to the
     * next replica in an order that depends on the key. When a replica leaves, only its keys move. Calls without a key
     * go to the replica with the fewest calls.
     */
    public static BalancePolicy affinity() {
        return new Affinity();
    }
}
