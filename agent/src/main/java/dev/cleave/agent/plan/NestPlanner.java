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
import org.jspecify.annotations.Nullable;

/**
 * Chooses the level on which a nest of loops is planned (R40): with one queue for the outermost loop whose run-ahead knows
 * all that the inner ones need, else with one for each loop further in.
 */
final class NestPlanner {

    private final Method method;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final List<StrandPlan> strands = new ArrayList<>();

    NestPlanner(Method method) {
        this.method = method;
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
                StrandPlan waiting = strands(loop, queues);
                if (waiting == null) {
                    plans.addAll(queues);
                } else {
                    strands.add(waiting);
                }
            }
        }
        return plans;
    }

    /** The nests whose calls are sent by strands; known once the loops are planned. */
    List<StrandPlan> strands() {
        return strands;
    }

    /** Strands for a nest of which no one queue serves all calls, null if they would send no more than the queues. */
    private @Nullable StrandPlan strands(Loop loop, List<LoopPlan> queues) {
        int header = method.graph().body().indexOf(loop.header().first());
        Set<Integer> queued = sends(queues);
        boolean isServed = queues.size() == 1
                && queues.get(0).region().entry() == header
                && NestIterations.opsOf(method, loop).stream()
                        .filter(method::isCandidate)
                        .allMatch(queued::contains);
        if (isServed || !calls(loop)) {
            return null;
        }
        StrandPlanner planner = new StrandPlanner(method, loop);
        StrandPlan plan = planner.plan();
        if (plan == null || !new HashSet<>(plan.sends()).containsAll(queued)) {
            return null;
        }
        plan.sends().forEach(refusals::remove);
        return plan;
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
