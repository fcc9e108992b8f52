package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import java.util.Map;

/**
 * Chooses the replica for each call of one service. Thread-safe; has no state but its own, so each service has its own
 * policy.
 */
@FunctionalInterface
public interface BalancePolicy {

    /**
     * The replica for the next call.
     *
     * @param candidates those that it may go to, in the order of their names; not empty
     */
    Replicas.Replica pick(List<Replicas.Replica> candidates);

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
     * @param weights by the name of the replica, each at least 1; one that is not named has weight 1
     */
    static BalancePolicy staticRatio(Map<String, Integer> weights) {
        return new StaticRatio(weights);
    }
}
