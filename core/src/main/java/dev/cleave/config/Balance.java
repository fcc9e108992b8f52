package dev.cleave.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How calls are spread over the replicas of a service. */
public sealed interface Balance {

    /** What the keys of calls are, over the parameters; null if it asks for none. */
    default @Nullable String keys() {
        return null;
    }

    /** One replica after the other. */
    record RoundRobin() implements Balance {}

    /**
     * To each as it asks for more.
     *
     * @param window the most calls that a replica has at a time
     */
    record Demand(int window) implements Balance {}

    /**
     * To each as its workers begin what they have.
     *
     * @param group the most calls that a replica has and has not begun
     * @param expression what calls have in common that had better go to one replica, over the parameters; null for nothing
     */
    record Pull(int group, @Nullable String expression) implements Balance {

        @Override
        public @Nullable String keys() {
            return expression;
        }
    }

    /**
     * As a class of the application says.
     *
     * @param className a {@link dev.cleave.Selection}
     * @param expression what its keys are, over the parameters; null for none
     */
    record Chosen(String className, @Nullable String expression) implements Balance {

        @Override
        public @Nullable String keys() {
            return expression;
        }
    }

    /** The less loaded of two. */
    record LeastLoaded() implements Balance {}

    /**
     * Calls that belong together to one replica.
     *
     * @param expression what they have in common, over the parameters
     */
    record Affinity(String expression) implements Balance {

        @Override
        public String keys() {
            return expression;
        }
    }

    /**
     * By fixed weights.
     *
     * @param weights the weight of each replica by its name, in the order of the file; at least one is not 0
     */
    record StaticRatio(Map<String, Integer> weights) implements Balance {

        /** Copies its component. */
        public StaticRatio {
            weights = Copies.inOrder(weights);
        }
    }
}
