package dev.cleave.agent.plan.strand;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.Chaining;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StrandSteps;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A loop whose calls are sent ahead, and which may be joined with others that stand in a row with it (R73).
 *
 * @param steps how often the program waits for it, if its windows are wide enough
 * @param sent the places of the method itself whose calls are sent ahead
 */
record PlannedLoop(CallPlacement placement, Loop loop, int steps, List<Integer> sent) {

    PlannedLoop {
        sent = List.copyOf(sent);
    }

    /** The loop of a placement, null if it plans none, or one that strands do not join. */
    static @Nullable PlannedLoop of(CallPlacement placement, MethodDraft draft) {
        int steps;
        List<Integer> sent;
        if (placement instanceof LoopPlan plan
                && plan.chaining() == Chaining.NONE
                && plan.passed().isEmpty()
                && !plan.leavesOut()) {
            steps = plan.stages().size();
            sent = plan.sends();
        } else if (placement instanceof StrandPlan plan
                && plan.own().repeats()
                && plan.recursion() == null
                && plan.guide() == null
                && plan.queue() == null
                && plan.walks().isEmpty()
                && plan.mappings().isEmpty()
                && plan.keys().isEmpty()) {
            steps = StrandSteps.all(plan).length();
            sent = new ArrayList<>(plan.calls());
            sent.addAll(plan.hands().keySet());
        } else {
            return null;
        }
        for (Loop loop : draft.nest().loops()) {
            if (draft.method().graph().opsOf(loop).equals(placement.loop())) {
                return new PlannedLoop(placement, loop, steps, sent);
            }
        }
        return null;
    }
}
