package dev.cleave.config;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * When a replica is overloaded or underloaded: comparisons of its load, the number of calls that wait or run there.
 *
 * @param anyOf holds if all comparisons of one of these lists hold; not empty
 */
public record LoadCondition(List<List<Comparison>> anyOf) {

    /** The greatest load that a condition may name. */
    public static final int MOST = 1_000_000;

    /** Copies its component. */
    public LoadCondition {
        anyOf = anyOf.stream().map(List::copyOf).toList();
    }

    /** Says whether it holds at a load. */
    public boolean holds(int load) {
        return anyOf.stream().anyMatch(all -> all.stream().allMatch(comparison -> comparison.holds(load)));
    }

    /** The loads at which the condition may begin or cease to hold, in ascending order. */
    public Set<Integer> edges() {
        Set<Integer> edges = new TreeSet<>();
        anyOf.forEach(all -> all.forEach(comparison -> edges.addAll(comparison.edges())));
        return edges;
    }

    /** How a load is compared. */
    public enum Operator {
        /** {@code >=}. */
        AT_LEAST(">="),
        /** {@code >}. */
        MORE(">"),
        /** {@code ==}. */
        EQUAL("=="),
        /** {@code !=}. */
        OTHER("!="),
        /** {@code <=}. */
        AT_MOST("<="),
        /** {@code <}. */
        LESS("<");

        private final String text;

        Operator(String text) {
            this.text = text;
        }

        /** The operator as it is written in a file. */
        public String text() {
            return text;
        }
    }

    /**
     * A comparison of the load with a number.
     *
     * @param operator the operator
     * @param number the number, 0..{@value #MOST}
     */
    public record Comparison(Operator operator, int number) {

        boolean holds(int load) {
            return switch (operator) {
                case AT_LEAST -> load >= number;
                case MORE -> load > number;
                case EQUAL -> load == number;
                case OTHER -> load != number;
                case AT_MOST -> load <= number;
                case LESS -> load < number;
            };
        }

        Set<Integer> edges() {
            return switch (operator) {
                case AT_LEAST, LESS -> Set.of(number);
                case MORE, AT_MOST -> Set.of(number + 1);
                case EQUAL, OTHER -> Set.of(number, number + 1);
            };
        }
    }
}
