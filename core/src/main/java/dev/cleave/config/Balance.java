package dev.cleave.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How calls are spread over the replicas of a service. */
public sealed interface Balance {

    /** The expression over the parameters that computes the key of a call; null if the policy uses no keys. */
    default @Nullable String keys() {
        return null;
    }

    /** Sends calls to one replica after the other. */
    record RoundRobin() implements Balance {}

    /**
     * Sends calls to the replica with the fewest, while it has fewer than a window.
     *
     * @param window the most calls that a replica has at a time
     */
    record Demand(int window) implements Balance {}

    /**
     * Sends a replica its next call when it begins one.
     *
     * @param group the most calls that a replica has and has not begun
     * @param expression the key of a call, over the parameters; a replica preferably gets calls of the key that it had
     * last; null for no keys
     */
    record Pull(int group, @Nullable String expression) implements Balance {

        @Override
        public @Nullable String keys() {
            return expression;
        }
    }

    /**
     * Lets a class of the application select the replica.
     *
     * @param className a {@link dev.cleave.Selection}
     * @param expression the key of a call, over the parameters; null for none
     */
    record Chosen(String className, @Nullable String expression) implements Balance {

        @Override
        public @Nullable String keys() {
            return expression;
        }
    }

    /** Sends the longest of the waiting calls first, by what earlier calls took, to the replica that has least to do. */
    record Learned() implements Balance {}

    /** Sends a call to the less loaded of two replicas chosen at random. */
    record LeastLoaded() implements Balance {}

    /**
     * Sends calls of equal keys to one replica.
     *
     * @param expression the key of a call, over the parameters
     */
    record Affinity(String expression) implements Balance {

        @Override
        public String keys() {
            return expression;
        }
    }

    /**
     * Sends calls in fixed proportions.
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
