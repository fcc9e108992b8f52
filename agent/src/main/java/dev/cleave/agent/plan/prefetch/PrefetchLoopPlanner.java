package dev.cleave.agent.plan.prefetch;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.HandlerOrder;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.PrefetchPlan;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans which calls of one loop are made ahead and claimed (R56), whatever code runs between them. */
public final class PrefetchLoopPlanner {

    private final Method method;
    private final MethodDraft draft;
    private final Loop loop;
    private final int entry;
    private final BitSet ops;
    private final Staleness staleness;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    private PrefetchLoopPlanner(MethodDraft draft, Loop loop) {
        this.method = draft.method();
        this.draft = draft;
        this.loop = loop;
        this.entry = method.graph().body().indexOf(loop.header().first());
        this.ops = method.graph().opsOf(loop);
        this.staleness = new Staleness(method, ops);
    }

    /** Plans the loops of which nothing is placed, nor in a loop around them. */
    public static void plan(MethodDraft draft) {
        BitSet placed = draft.loops();
        for (Loop loop : draft.nest().loops()) {
            PrefetchLoopPlanner planner = new PrefetchLoopPlanner(draft, loop);
            if (!placed.get(planner.entry) && planner.reads()) {
                PrefetchPlan plan = planner.plan();
                draft.refuse(planner.refusals);
                if (plan != null) {
                    draft.add(plan);
                }
            }
        }
    }

    /** Whether the loop calls what may be prefetched, and nothing chained. */
    private boolean reads() {
        Method chained = draft.chained();
        return ops.stream()
                        .anyMatch(op ->
                                method.isCandidate(op) || !method.readCalls(op).isEmpty())
                && ops.stream().noneMatch(chained::isCandidate);
    }

    /** The plan for the loop, null if it has no call that can be prefetched. */
    private @Nullable PrefetchPlan plan() {
        List<Integer> members = new ArrayList<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (method.readCalls(i).isEmpty()
                    || draft.nest().innermost(draft.blocks().blockOf(method.op(i))) != loop) {
                continue;
            }
            try {
                staleness.check(i, entry);
                attempt(List.of(i));
                members.add(i);
            } catch (Refused refused) {
                refusals.put(i, refused.refusal());
            }
        }
        while (!members.isEmpty()) {
            try {
                return attempt(members);
            } catch (Refused refused) {
                refusals.put(members.remove(members.size() - 1), refused.refusal());
            }
        }
        return null;
    }

    private PrefetchPlan attempt(List<Integer> members) throws Refused {
        HandlerOrder.check(method, ops);
        BranchPrediction guesses = new BranchPrediction(method, entry, ops, members, true);
        Region region = guesses.region();
        if (!region.allEnd() || !region.repeats()) {
            throw method.refused(Rule.R29, entry, "the loop has a part that never ends");
        }
        Slicer slicer = new Slicer(method, region, Set.of(), ops);
        slicer.addPasses();
        for (int member : members) {
            slicer.addSend(member);
        }
        SendSlice slice = slicer.slice(members, List.of());
        new RunAheadBounds(method).check(slice);
        Map<Integer, PrefetchHelper> helpers = helpers(members);
        boolean ages = members.stream().anyMatch(staleness::ages);
        return new PrefetchPlan(
                ops,
                slice,
                readCalls(members),
                helpers,
                window(readCalls(members)),
                guesses.leaves(),
                ages ? staleness.marks(helpers.keySet()) : List.of(),
                staleness.remote(),
                staleness.guards());
    }

    private List<ReadCall> readCalls(List<Integer> members) {
        List<ReadCall> calls = new ArrayList<>();
        members.forEach(member -> calls.addAll(method.readCalls(member)));
        return calls;
    }

    private Map<Integer, PrefetchHelper> helpers(List<Integer> members) {
        Map<Integer, PrefetchHelper> helpers = new HashMap<>();
        for (int member : members) {
            PrefetchHelper helper = method.prefetchHelper(member);
            if (helper != null) {
                helpers.put(member, helper);
            }
        }
        return helpers;
    }

    private static int window(List<ReadCall> calls) {
        int window = calls.stream()
                .mapToInt(ReadCall::window)
                .filter(set -> set > 0)
                .min()
                .orElse(CallSetting.GUESSED_WINDOW);
        return Math.max(window, calls.size());
    }
}
