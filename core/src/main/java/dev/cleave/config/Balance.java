package dev.cleave.config;

import java.util.Map;

/** How calls are spread over the replicas of a service. */
public sealed interface Balance {

    /** One replica after the other. */
    record RoundRobin() implements Balance {}

    /**
     * To each as it asks for more.
     *
     * @param window the most calls that a replica has at a time
     */
    record Demand(int window) implements Balance {}

    /** The less loaded of two. */
    record LeastLoaded() implements Balance {}

    /**
     * Calls that belong together to one replica.
     *
     * @param expression what they have in common, over the parameters
     */
    record Affinity(String expression) implements Balance {}

    /**
     * By fixed weights.
     *
     * @param weights the weight of each replica by its name, in the order of the file; each at least 1
     */
    record StaticRatio(Map<String, Integer> weights) implements Balance {

        /** Copies its component. */
        public StaticRatio {
            weights = Copies.inOrder(weights);
        }
    }
}
