package dev.cleave.agent.plan.line;

import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.order.ChainReorderingCheck;
import dev.cleave.agent.plan.order.PromisePipelining;
import dev.cleave.agent.plan.order.ReferringCalls;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.order.StayingResults;
import dev.cleave.agent.plan.placement.Chaining;
import dev.cleave.agent.plan.placement.GroupPlan;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plans calls that stand behind one another: which of them can be sent as soon as the first was. */
public final class GroupPlanner {

    /** The most calls that are sent behind the first. */
    private static final int LARGEST = 32;

    /** The most ops behind the first call that are looked at. */
    private static final int FARTHEST = 600;

    /** The most calls that are sent behind the first although the program may not come to them. */
    private static final int MOST_SPECULATIVE = 8;

    private final Method method;
    private final BitSet loopEntries = new BitSet();
    private final BitSet taken;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final BitSet refusedBehind = new BitSet();
    private final PromisePipelining promises;

    private GroupPlanner(MethodDraft draft, Method styled) {
        this.method = styled;
        this.promises = new PromisePipelining(styled);
        draft.nest()
                .loops()
                .forEach(loop -> loopEntries.set(
                        styled.graph().body().indexOf(loop.header().first())));
        this.taken = draft.loops();
    }

    /** Plans the calls of one style that stand in a row, but those in loops that are planned. */
    public static void plan(MethodDraft draft, Method styled) {
        GroupPlanner planner = new GroupPlanner(draft, styled);
        planner.plan().forEach(draft::add);
        draft.refuseOthers(planner.refusals);
    }

    private List<GroupPlan> plan() {
        List<GroupPlan> groups = new ArrayList<>();
        if (method.isReferring() && IntStream.range(0, method.graph().size()).noneMatch(method::refers)) {
            return groups;
        }
        for (int i = 0; i < method.graph().size(); i++) {
            if (!method.isCandidate(i) || taken.get(i) || method.refers(i)) {
                continue;
            }
            GroupPlan group = group(i);
            if (group != null && method.isReferring() && group.sends().stream().noneMatch(method::refers)) {
                continue; // the planner of calls without references has its turn
            }
            if (group != null) {
                groups.add(group);
                taken.set(i);
                group.sends().forEach(taken::set);
            }
        }
        return groups;
    }

    private @Nullable GroupPlan group(int leader) {
        int[] next = method.graph().next(leader);
        if (next.length != 1) {
            return null;
        }
        BitSet ops = explore(leader, next[0]);
        if (ops.isEmpty()) {
            return null;
        }
        Region region = new Region(method.graph(), next[0], ops);
        SendSlice together = null;
        List<Integer> members = new ArrayList<>();
        List<GroupPlan.Part> speculative = new ArrayList<>();
        for (int i = ops.nextSetBit(0); i >= 0 && members.size() < LARGEST; i = ops.nextSetBit(i + 1)) {
            if (!method.isCandidate(i) || taken.get(i)) {
                continue;
            }
            List<Integer> tried = new ArrayList<>(members);
            tried.add(i);
            try {
                together = attempt(leader, region, tried, passed(leader, tried), Map.of());
                members = tried;
            } catch (Refused refused) {
                GroupPlan.Part part = method.isReferring() || method.restores(i)
                        ? null
                        : new Speculation(method, region, i)
                                .plan((send, assumed) -> attempt(leader, region, List.of(send), Map.of(), assumed));
                if (part == null) {
                    Refusal unpassed = promises.refusal(i);
                    refusals.put(i, unpassed == null ? refused.refusal() : unpassed);
                } else if (speculative.size() < MOST_SPECULATIVE) {
                    speculative.add(part);
                }
            }
        }
        List<GroupPlan.Part> parts = new ArrayList<>();
        if (together != null) {
            parts.add(new GroupPlan.Part(together, Map.of()));
        }
        parts.addAll(speculative);
        return parts.isEmpty()
                ? null
                : new GroupPlan(
                        leader,
                        parts,
                        Speculation.abandonments(region, speculative),
                        passed(leader, members),
                        new StayingResults(method).of(passed(leader, members)),
                        Chaining.of(method.isChained(), promises.areOfOneStub(leader, members)));
    }

    /** Returns, for each call and parameter that is the result of another call of the group, that other call. */
    private Map<Integer, Map<Integer, Integer>> passed(int leader, List<Integer> members) {
        Map<Integer, Map<Integer, Integer>> passed = new TreeMap<>();
        List<Integer> sent = new ArrayList<>(List.of(leader));
        for (int member : members) {
            Map<Integer, Integer> results = promises.of(member, sent);
            if (!results.isEmpty()) {
                passed.put(member, results);
            }
            sent.add(member);
        }
        return passed;
    }

    private SendSlice attempt(
            int leader,
            Region region,
            List<Integer> members,
            Map<Integer, Map<Integer, Integer>> passed,
            Map<Integer, Integer> assumed)
            throws Refused {
        Register result = method.op(leader).def();
        Slicer slicer = new Slicer(method, region, result == null ? Set.of() : Set.of(result), assumed.keySet());
        BitSet crossed = new BitSet();
        for (int member : members) {
            slicer.addSend(member, passed.getOrDefault(member, Map.of()).keySet());
            crossed.or(region.before(member));
            new SendOrder(method).check(leader, member, region.before(member), members);
        }
        if (method.isReferring()) {
            new ReferringCalls(method).check(leader, members, passed, crossed);
        }
        checkHandlers(leader, crossed, members);
        SendSlice pure = slicer.slice(members, List.of());
        if (!pure.iterators().isEmpty()) {
            throw method.refused(
                    Rule.R34,
                    members.get(members.size() - 1),
                    "its argument comes from an iterator",
                    "take the next element before the first call");
        }
        ReorderingCheck crossing =
                new ReorderingCheck(method, region, pure.executed(), members, List.of(), parameters(passed));
        List<EntryTest> tests = crossing.check(crossed);
        crossing.crossLeader(leader);
        if (method.isChained()) {
            ChainReorderingCheck chain = new ChainReorderingCheck(method, region, pure.executed(), members);
            chain.checkResult(leader);
            chain.check(crossed);
        }
        for (EntryTest test : tests) {
            for (Value value : test.values()) {
                checkAvailable(value, result, members);
            }
        }
        return slicer.slice(members, tests);
    }

    private static Map<Integer, Set<Integer>> parameters(Map<Integer, Map<Integer, Integer>> passed) {
        Map<Integer, Set<Integer>> parameters = new HashMap<>();
        passed.forEach((call, results) -> parameters.put(call, results.keySet()));
        return parameters;
    }

    private void checkAvailable(Value value, @Nullable Register result, List<Integer> members) throws Refused {
        if (result == null) {
            return;
        }
        boolean needsResult = value.ops().isEmpty() && value.result() == result
                || value.ops().stream().anyMatch(op -> op.uses().contains(result));
        if (needsResult) {
            throw method.refused(
                    Rule.R43,
                    members.get(members.size() - 1),
                    "what happens before it depends on the result of the call before it",
                    "use that result behind both calls");
        }
    }

    /** Refuses handlers by which an exception between the calls leads to a call that was already sent (R19, R20). */
    private void checkHandlers(int leader, BitSet crossed, List<Integer> members) throws Refused {
        BitSet throwing = (BitSet) crossed.clone();
        throwing.set(leader);
        BitSet stops = new BitSet();
        stops.set(leader);
        Map<Integer, BitSet> behind = new HashMap<>();
        for (int i = throwing.nextSetBit(0); i >= 0; i = throwing.nextSetBit(i + 1)) {
            for (int handler : method.graph().handlers(i)) {
                BitSet reached =
                        behind.computeIfAbsent(handler, from -> method.graph().reachable(from, stops));
                for (int member : members) {
                    if (reached.get(member)) {
                        throw method.refused(Rule.R20, i, "an exception handler goes on to the call");
                    }
                }
            }
        }
    }

    /** Returns the ops that may run behind a call up to the next barrier, loop or end of the method. */
    private BitSet explore(int leader, int first) {
        BitSet ops = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(first)); // first in, first out: the region has no far arms
        while (!work.isEmpty() && ops.cardinality() < FARTHEST) {
            int index = work.remove();
            if (ops.get(index) || index == leader || loopEntries.get(index) || method.op(index) instanceof CatchOp) {
                continue;
            }
            Barrier barrier = method.effects().of(method.op(index)).barrier();
            if (barrier != null && !method.isCandidate(index)) {
                refuseBehind(index, barrier);
                continue;
            }
            ops.set(index);
            for (int successor : method.graph().next(index)) {
                work.add(successor);
            }
        }
        return ops;
    }

    /** Notes the barrier as the reason for the calls that come next behind it. */
    private void refuseBehind(int index, Barrier barrier) {
        if (refusedBehind.get(index)) {
            return;
        }
        refusedBehind.set(index);
        BitSet reached = method.graph().reachable(index);
        Refusal why = method.refused(index, barrier).refusal();
        for (int i = reached.nextSetBit(index + 1); i >= 0; i = reached.nextSetBit(i + 1)) {
            if (method.isCandidate(i)) {
                refusals.putIfAbsent(i, why);
            }
        }
    }
}
