package dev.cleave.agent.plan;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the level on which a nest of loops is planned (R40): with one queue for the outermost loop whose run-ahead knows
 * all that the inner ones need, else with one for each loop further in.
 */
final class NestPlanner {

    private final Method method;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final StrandNests strands;

    NestPlanner(Method method) {
        this.method = method;
        this.strands = new StrandNests(method);
    }

    /** Why calls are not sent ahead. */
    Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** The plans for all loops. */
    List<LoopPlan> plan(LoopNest nest) {
        List<LoopPlan> plans = new ArrayList<>();
        for (Loop loop : nest.loops()) {
            if (loop.outer() == null) {
                List<LoopPlan> queues = plan(loop);
                if (!strands.take(loop, queues)) {
                    plans.addAll(queues);
                }
            }
        }
        strands.refusals().forEach(refusals::putIfAbsent);
        return plans;
    }

    /** The nests whose calls are sent by strands; known once the loops are planned. */
    List<StrandPlan> strands() {
        return strands.plans();
    }

    private List<LoopPlan> plan(Loop loop) {
        if (!calls(loop)) {
            return List.of();
        }
        List<LoopPlan> inner = new ArrayList<>();
        for (Loop each : loop.inner()) {
            inner.addAll(plan(each));
        }
        LoopPlanner planner = new LoopPlanner(method, loop);
        List<LoopPlan> whole = planner.plan();
        boolean isBetter = !whole.isEmpty() && sends(whole).containsAll(sends(inner));
        planner.refusals().forEach(isBetter ? refusals::put : refusals::putIfAbsent);
        return isBetter ? whole : inner;
    }

    private static Set<Integer> sends(List<LoopPlan> plans) {
        Set<Integer> sends = new HashSet<>();
        plans.forEach(plan -> sends.addAll(plan.sends()));
        return sends;
    }

    private boolean calls(Loop loop) {
        return loop.blocks().stream().flatMap(block -> block.ops().stream()).anyMatch(this::isCandidate);
    }

    private boolean isCandidate(Op op) {
        return method.isCandidate(method.graph().body().indexOf(op));
    }
}
