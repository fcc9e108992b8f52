package dev.cleave.agent.plan.placement;

import java.util.List;
import java.util.Map;

/**
 * A stream whose calls are sent by strands (R69, R71), as if it were the loop that does the same.
 *
 * @param strands planned in that loop
 * @param given the values that the loop begins with
 * @param calling the ops that make the functions that call, in the order of their hooks
 * @param hands the helper that each of these functions is
 */
public record StreamNest(
        StrandPlan strands, List<Given> given, List<Integer> calling, Map<Integer, StrandPlan.Hand> hands) {

    /**
     * A local with which the loop begins.
     *
     * @param op the op one of whose operands it is, -1 for zero
     * @param local its place in the loop
     */
    public record Given(int op, int operand, int local) {

        /** Returns the same value in another local. */
        public Given at(int other) {
            return new Given(op, operand, other);
        }
    }

    /** Copies its components. */
    public StreamNest {
        given = List.copyOf(given);
        calling = List.copyOf(calling);
        hands = Map.copyOf(hands);
    }
}
