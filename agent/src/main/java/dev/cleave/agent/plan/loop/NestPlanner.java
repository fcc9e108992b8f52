package dev.cleave.agent.plan.loop;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.strand.StrandNests;
import dev.cleave.agent.plan.verdict.Refusal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the level on which a nest of loops is planned (R40): with one queue for the outermost loop whose run-ahead
 * knows all that the inner ones need, else with one for each loop further in.
 */
public final class NestPlanner {

    private final Method method;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final StrandNests strands;

    private NestPlanner(Method method) {
        this.method = method;
        this.strands = new StrandNests(method);
    }

    /** Plans the loops for calls of one style. */
    public static void plan(MethodDraft draft, Method styled) {
        NestPlanner planner = new NestPlanner(styled);
        for (Loop loop : draft.nest().loops()) {
            if (loop.outer() == null && !draft.loops().intersects(styled.graph().opsOf(loop))) {
                planner.choose(loop, planner.plan(loop)).placements().forEach(draft::add);
            }
        }
        planner.strands.refusals().forEach(planner.refusals::putIfAbsent);
        draft.refuse(planner.refusals);
    }

    /**
     * Plans the innermost loops around calls that change arrays of their caller (R75), of those that no planner has placed; no strands.
     */
    public static void planRestoring(MethodDraft draft) {
        Method method = draft.restoring();
        for (Loop loop :
                method == draft.method() ? List.<Loop>of() : draft.nest().loops()) {
            BitSet ops = method.graph().opsOf(loop);
            boolean isInnermost = loop.inner().stream()
                    .noneMatch(inner -> method.graph().opsOf(inner).stream().anyMatch(method::isCandidate));
            if (isInnermost
                    && ops.stream().anyMatch(method::restores)
                    && !draft.loops().intersects(ops)) {
                LoopPlanner planner = new LoopPlanner(method, loop);
                planner.plan().forEach(draft::add);
                draft.refuse(planner.refusals());
            }
        }
    }

    /**
     * The placements that send the calls of a loop.
     *
     * @param weight how many calls that are, those of inner loops counted for many
     */
    private record Choice(List<CallPlacement> placements, double weight) {}

    /** Chooses strands for a loop, else the queues that are planned for it, or what is chosen for the loops in it if that sends more. */
    private Choice choose(Loop loop, List<LoopPlan> queues) {
        StrandPlan plan = strands.take(loop, queues);
        int header = method.graph().body().indexOf(loop.header().first());
        boolean isServed = queues.stream().anyMatch(queue -> queue.region().entry() == header);
        Choice own = new Choice(List.of(), 0);
        if (plan != null) {
            own = new Choice(List.of(plan), CallWeights.of(plan));
        } else if (isServed) {
            own = new Choice(List.copyOf(queues), CallWeights.of(method, sends(queues)));
        }
        BitSet all = method.graph().opsOf(loop);
        boolean isComplete = plan != null
                ? CallWeights.isComplete(plan)
                : isServed && all.stream().filter(method::isCandidate).allMatch(sends(queues)::contains);
        if (isComplete) {
            return own;
        }
        List<CallPlacement> placements = new ArrayList<>();
        double weight = 0;
        for (Loop inner : loop.inner()) {
            BitSet ops = method.graph().opsOf(inner);
            List<LoopPlan> theirs = queues.stream()
                    .filter(queue -> ops.get(queue.region().entry()))
                    .toList();
            Choice each = choose(inner, theirs);
            placements.addAll(each.placements());
            weight += each.weight();
        }
        return weight > own.weight() ? new Choice(placements, weight) : own;
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
        return method.graph().opsOf(loop).stream().anyMatch(method::isCandidate);
    }
}
