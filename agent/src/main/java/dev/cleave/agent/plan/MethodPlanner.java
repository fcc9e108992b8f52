package dev.cleave.agent.plan;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans one method: loops first, then what stands in a row. */
public final class MethodPlanner {

    /** Why a call stays that is neither in a loop nor beside another one. */
    public static final String ALONE = "no other call stands near it";

    /** A body of more ops is left alone (R51): most ops have a byte, and the JIT compiles no method of more than 8,000. */
    static final int LARGEST = 8_000;

    private final Method method;
    private final Method chained;

    /** What stands in loops. */
    private final BitSet repeated = new BitSet();

    private final List<PrefetchPlan> prefetches = new ArrayList<>();
    private final List<StrandPlan> strands = new ArrayList<>();

    private MethodPlanner(Method method, Method chained) {
        this.method = method;
        this.chained = chained;
    }

    /** Plans the body of a method of the class that has the helpers. */
    public static MethodPlan plan(MethodBody body, Helpers helpers) {
        Method method = helpers.method(body);
        Method chained = new Method(method.graph(), method.effects(), helpers, CallSetting.Style.CHAINED);
        return new MethodPlanner(method, chained).plan();
    }

    private MethodPlan plan() {
        MethodBody body = method.graph().body();
        String never = Eligible.refusal(body);
        if (never != null) {
            return refuseAll(Rule.R1, never, "move it into a method");
        }
        if (method.graph().size() > LARGEST) {
            return refuseAll(Rule.R51, "the method is too long", "split the method");
        }
        ControlFlowGraph blocks = ControlFlowGraph.of(body);
        Dominators dominators = Dominators.of(blocks);
        LoopNest nest = LoopNest.of(blocks, dominators);
        if (!nest.reducible()) {
            return refuseAll(Rule.R47, "the flow of control is not reducible", "restructure the method");
        }
        List<LoopPlan> loops = new ArrayList<>();
        List<GroupPlan> groups = new ArrayList<>();
        Map<Integer, Refusal> refusals = new HashMap<>();
        for (Method styled : List.of(method, chained)) {
            place(styled, blocks, nest, loops, groups, refusals);
        }
        BitSet looping = new BitSet();
        loops.forEach(loop -> looping.or(loop.region().ops()));
        prefetches.forEach(prefetch -> looping.or(prefetch.loop()));
        strands.forEach(nesting -> looping.or(nesting.loop().ops()));
        List<SinkPlan> sinks = new SinkPlanner(method, blocks, nest, looping, groups).plan();
        StraightLinePrefetchPlanner stretchPlanner =
                new StraightLinePrefetchPlanner(method, blocks, dominators, nest, closed(loops, groups, sinks));
        List<StraightLinePrefetchPlan> stretches = stretchPlanner.plan();
        refusals.putAll(stretchPlanner.refusals());
        StreamPlanner streamPlanner = new StreamPlanner(method);
        List<StreamPlan> streams = streamPlanner.plan();
        List<Verdict> verdicts = verdicts(loops, groups, stretches, sinks, refusals);
        verdicts.addAll(streamPlanner.verdicts(streams));
        verdicts.sort(Comparator.comparingInt(Verdict::line));
        return new MethodPlan(loops, strands, groups, streams, prefetches, stretches, sinks, helpers(loops, groups), verdicts);
    }

    /** What is planned, and what may run while such calls are in flight. */
    private BitSet closed(List<LoopPlan> loops, List<GroupPlan> groups, List<SinkPlan> sinks) {
        BitSet closed = new BitSet();
        loops.forEach(loop -> closed.or(loop.region().ops()));
        strands.forEach(nest -> closed.or(nest.loop().ops()));
        prefetches.forEach(prefetch -> prefetch.slice().sends().forEach(closed::set));
        for (GroupPlan group : groups) {
            closed.set(group.leader());
            group.sends().forEach(closed::set);
        }
        for (SinkPlan sink : sinks) {
            closed.set(sink.call());
            sink.glued().forEach(closed::set);
            closed.or(sink.region());
        }
        return closed;
    }

    /** Places the calls of one style; those of others are barriers to them. */
    private void place(
            Method styled,
            ControlFlowGraph blocks,
            LoopNest nest,
            List<LoopPlan> loops,
            List<GroupPlan> groups,
            Map<Integer, Refusal> refusals) {
        BitSet taken = new BitSet();
        BitSet entries = new BitSet();
        for (Loop loop : nest.loops()) {
            entries.set(styled.graph().body().indexOf(loop.header().first()));
            loop.blocks().forEach(block -> block.ops()
                    .forEach(op -> repeated.set(styled.graph().body().indexOf(op))));
        }
        NestPlanner nests = new NestPlanner(styled);
        List<LoopPlan> planned = nests.plan(nest);
        planned.forEach(loop -> taken.or(loop.region().ops()));
        nests.strands().forEach(strand -> taken.or(strand.loop().ops()));
        loops.addAll(planned);
        strands.addAll(nests.strands());
        refusals.putAll(nests.refusals());
        if (!styled.isChained()) {
            prefetch(blocks, nest, taken, refusals);
        }
        GroupPlanner groupPlanner = new GroupPlanner(styled, entries, taken);
        groups.addAll(groupPlanner.plan());
        groupPlanner.refusals().forEach(refusals::putIfAbsent);
    }

    /** Prefetches in the loops of which nothing is placed, nor in a loop around them. */
    private void prefetch(ControlFlowGraph blocks, LoopNest nest, BitSet taken, Map<Integer, Refusal> refusals) {
        BitSet placed = (BitSet) taken.clone();
        for (Loop loop : nest.loops()) {
            boolean isPlaced =
                    placed.get(method.graph().body().indexOf(loop.header().first()));
            boolean reads = loop.blocks().stream().anyMatch(block -> calls(method, block) || reads(block));
            if (isPlaced || !reads || loop.blocks().stream().anyMatch(block -> calls(chained, block))) {
                continue;
            }
            PrefetchLoopPlanner ahead = new PrefetchLoopPlanner(method, blocks, nest, loop);
            PrefetchPlan plan = ahead.plan();
            refusals.putAll(ahead.refusals());
            if (plan != null) {
                prefetches.add(plan);
                taken.or(plan.loop());
            }
        }
    }

    private Map<Integer, Helper> helpers(List<LoopPlan> loops, List<GroupPlan> groups) {
        List<Integer> calls = new ArrayList<>();
        loops.forEach(loop -> calls.addAll(loop.sends()));
        groups.forEach(group -> {
            calls.add(group.leader());
            calls.addAll(group.sends());
        });
        Map<Integer, Helper> helpers = new HashMap<>();
        for (int call : calls) {
            Helper helper = method.helper(call);
            if (helper != null) {
                helpers.put(call, helper);
            }
        }
        return helpers;
    }

    private static boolean calls(Method styled, BasicBlock block) {
        return block.ops().stream()
                .anyMatch(op -> styled.isCandidate(styled.graph().body().indexOf(op)));
    }

    private boolean reads(BasicBlock block) {
        return block.ops().stream()
                .anyMatch(op ->
                        !method.readCalls(method.graph().body().indexOf(op)).isEmpty());
    }

    private List<Verdict> verdicts(
            List<LoopPlan> loops,
            List<GroupPlan> groups,
            List<StraightLinePrefetchPlan> stretches,
            List<SinkPlan> sinks,
            Map<Integer, Refusal> refusals) {
        Map<Integer, Verdict> verdicts = new HashMap<>();
        for (SinkPlan sink : sinks) {
            verdicts.put(sink.call(), verdict(sink.call(), Verdict.Outcome.SPLIT, 1, null));
        }
        for (LoopPlan loop : loops) {
            for (int call : loop.sends()) {
                Verdict.Outcome outcome = loop.isChained() ? Verdict.Outcome.CHAINED : Verdict.Outcome.PIPELINED;
                boolean isPromised = loop.passed().containsKey(call);
                verdicts.put(call, verdict(call, isPromised ? Verdict.Outcome.PROMISED : outcome, loop.window(), null));
            }
        }
        for (StrandPlan nest : strands) {
            Map<Integer, Integer> windows = new HashMap<>();
            nest.calls().values().forEach(call -> windows.put(call.row(), call.window()));
            nest.claims().forEach((call, row) -> {
                if (windows.containsKey(row)) {
                    verdicts.put(call, verdict(call, Verdict.Outcome.PIPELINED, windows.get(row), null));
                }
            });
        }
        for (GroupPlan group : groups) {
            List<Integer> calls = new ArrayList<>(group.sends());
            calls.add(group.leader());
            Verdict.Outcome outcome = group.isChained() ? Verdict.Outcome.CHAINED : Verdict.Outcome.SPLIT;
            for (int call : calls) {
                boolean isPromised = group.passed().containsKey(call);
                int window = group.isChained() ? calls.size() : 1;
                verdicts.put(call, verdict(call, isPromised ? Verdict.Outcome.PROMISED : outcome, window, null));
            }
        }
        for (PrefetchPlan prefetch : prefetches) {
            for (int call : prefetch.slice().sends()) {
                verdicts.put(call, verdict(call, Verdict.Outcome.PREFETCHED, prefetch.window(), null));
            }
        }
        for (StraightLinePrefetchPlan stretch : stretches) {
            List<Integer> sends = stretch.sends();
            sends.forEach(call -> verdicts.put(call, verdict(call, Verdict.Outcome.PREFETCHED, sends.size(), null)));
        }
        List<Verdict> list = new ArrayList<>();
        for (int i = 0; i < method.graph().size(); i++) {
            Verdict planned = verdicts.get(i);
            if (planned != null) {
                list.add(method.hidesRemote(i) ? planned.ofHelper() : planned);
            } else if (method.effects().settingOf(method.op(i)) != null) {
                list.add(verdict(i, Verdict.Outcome.SEQUENTIAL, 1, refusal(i, refusals)));
            } else {
                noteHelper(i, refusals);
            }
        }
        return list;
    }

    /** Why the calls of a helper are not sent ahead is said of those calls. */
    private void noteHelper(int call, Map<Integer, Refusal> refusals) {
        if (!method.hidesRemote(call)) {
            return;
        }
        Refusal why = refusals.get(call);
        if (why == null && repeated.get(call)) {
            why = method.helperRefusal(call);
        }
        if (why != null) {
            method.note(call, why.line() < 0 ? why.at(method.line(call)) : why, repeated.get(call));
        }
    }

    private Refusal refusal(int call, Map<Integer, Refusal> refusals) {
        if (!method.eligible().allows(call)) {
            return new Refusal(Rule.R1, method.line(call), "the object is not yet constructed", "call it in a method");
        }
        if (method.callsBack(call)) {
            return new Refusal(
                    Rule.R9,
                    method.line(call),
                    "the server may call back objects that the call gives it",
                    "give it values");
        }
        CallSetting setting = method.effects().settingOf(method.op(call));
        if (setting != null && setting.style() == CallSetting.Style.ONE_WAY) {
            return new Refusal(
                    Rule.R70,
                    method.line(call),
                    "a one-way call is handed over where it is written",
                    "mark it @Async to send it ahead");
        }
        if (!method.isCandidate(call) && !chained.isCandidate(call) && !refusals.containsKey(call)) {
            return new Refusal(
                    Rule.R10,
                    method.line(call),
                    Refusal.NO_STYLE,
                    "mark it @Async, or set its style in the application file");
        }
        Refusal refusal = refusals.get(call);
        return refusal != null
                ? refusal
                : new Refusal(Rule.R16, method.line(call), ALONE, "put it beside another call, or into a loop");
    }

    private Verdict verdict(int call, Verdict.Outcome outcome, int window, @Nullable Refusal refusal) {
        Helper helper = method.helper(call);
        PrefetchHelper ahead = helper == null ? method.prefetchHelper(call) : null;
        String name = helper != null ? helper.name() : ahead != null ? ahead.name() : method.nameOf(call);
        Refusal placed = refusal != null && refusal.line() < 0 ? refusal.at(method.line(call)) : refusal;
        return new Verdict(method.line(call), name, outcome, window, placed);
    }

    private MethodPlan refuseAll(Rule rule, String reason, String advice) {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.effects().settingOf(method.op(i)) != null) {
                Refusal refusal = new Refusal(rule, method.line(i), reason, advice);
                verdicts.add(verdict(i, Verdict.Outcome.SEQUENTIAL, 1, refusal));
            }
        }
        return new MethodPlan(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), Map.of(), verdicts);
    }
}
