package dev.cleave.agent.plan.placement;

import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * Where some calls of a method are sent and where their results are taken. Ops are named by their index in the body as
 * it was when it was planned.
 */
public sealed interface CallPlacement
        permits GroupPlan, LoopPlan, PrefetchPlan, SinkPlan, StraightLinePrefetchPlan, StrandPlan, StreamPlan {

    /** Returns the calls of the method that it places. */
    List<Integer> calls();

    /** Returns the outcome of planning for one of its calls. */
    Verdict.Outcome outcome(int call);

    /** Returns the most of its calls in flight. */
    int window();

    /** Returns the most sends in flight for one of its calls. */
    default int window(int call) {
        return window();
    }

    /** Returns the ops between which planners that come later may send nothing. */
    BitSet closed();

    /** Returns the ops of the loop that it plans; none if it plans no loop. */
    default BitSet loop() {
        return new BitSet();
    }

    /** Returns the functions whose calls it splits. */
    default Collection<Helper> splitFunctions() {
        return List.of();
    }

    /** Returns the helpers and functions whose calls it prefetches. */
    default Collection<PrefetchHelper> prefetched() {
        return List.of();
    }
}
