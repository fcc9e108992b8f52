package dev.cleave.agent.plan.strand;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.GroupPlan;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StrandSteps;
import dev.cleave.agent.plan.verdict.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Plans strands for calls that stand in straight line, in the method or in methods that it calls (R73): where groups of
 * calls that are sent together would wait for each other more often than their results demand.
 *
 * <p>The part of the method begins in front of the first call, and ends where no call can be reached any more. Code that
 * no call may cross divides it.
 */
public final class StraightLineStrandPlanner {

    private static final int LEAST_CALLS = 3;
    private static final int MOST_ATTEMPTS = 12;
    private static final int WAITS_OF_A_WALK = 2; // at least

    private final MethodDraft draft;
    private final Method method;
    private final OpGraph graph;
    private List<GroupPlan> groups;
    private BitSet placed;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private @Nullable FlatCode whole;
    private boolean isFlattened;
    private int attempts;

    private StraightLineStrandPlanner(MethodDraft draft) {
        this.draft = draft;
        this.method = draft.method();
        this.graph = method.graph();
        this.groups = draft.placed(GroupPlan.class);
        this.placed = draft.loops();
    }

    /** A place that makes calls: a call, or the call of a method whose code is planned in its place. */
    private record Part(List<Integer> targets, int entry, BitSet ops) {}

    /** Plans a method whose calls in loops, and in groups, are planned. */
    public static void plan(MethodDraft draft) {
        new StraightLineStrandPlanner(draft).plan();
    }

    private void plan() {
        if (method.helpers().isExcluded(graph.body().original())) {
            return;
        }
        joinLoops();
        attempts = 0;
        groups = draft.placed(GroupPlan.class);
        placed = draft.loops();
        Map<Integer, List<Integer>> levels = new LinkedHashMap<>(); // by the header of the loop around them
        for (int i = 0; i < graph.size(); i++) {
            if (!placed.get(i) && (method.isCandidate(i) || isWritten(i) || isWalk(method, i))) {
                Loop around = draft.nest().innermost(draft.blocks().blockOf(method.op(i)));
                levels.computeIfAbsent(header(around), key -> new ArrayList<>()).add(i);
            }
        }
        levels.values().forEach(this::place);
        draft.refuseOthers(refusals);
    }

    private int header(@Nullable Loop loop) {
        return loop == null ? -1 : graph.body().indexOf(loop.header().first());
    }

    /** Joins loops that stand in a row, so that the calls of all of them are sent when the first of them begins. */
    private void joinLoops() {
        Map<Integer, List<PlannedLoop>> rows = new LinkedHashMap<>(); // by the header of the loop around them
        for (CallPlacement placement : draft.placements()) {
            PlannedLoop loop = PlannedLoop.of(placement, draft);
            if (loop != null) {
                rows.computeIfAbsent(header(loop.loop().outer()), key -> new ArrayList<>())
                        .add(loop);
            }
        }
        rows.values().forEach(this::join);
    }

    /** Joins some loops, or those on both sides of what no call may cross. */
    private void join(List<PlannedLoop> loops) {
        if (loops.size() < 2 || attempts >= MOST_ATTEMPTS) {
            return;
        }
        attempts++;
        List<Integer> targets = new ArrayList<>();
        BitSet own = new BitSet();
        for (PlannedLoop loop : loops) {
            own.or(loop.placement().loop());
        }
        for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
            if (method.isCandidate(i) || isWritten(i) || isWalk(method, i)) {
                targets.add(i);
            }
        }
        Part part = part(targets, loops.get(0).loop().outer());
        if (part == null
                || groups.stream().anyMatch(group -> group.calls().stream().anyMatch(part.ops()::get))) {
            return; // calls that are sent together stay with their plan
        }
        int barrier = barrier(part, own);
        if (barrier < 0) {
            barrier = attempt(part, loops);
        }
        if (barrier >= 0) {
            int at = barrier;
            join(loops.stream()
                    .filter(loop -> loop.placement().loop().nextSetBit(0) < at
                            && !loop.placement().loop().get(at))
                    .toList());
            join(loops.stream()
                    .filter(loop -> loop.placement().loop().nextSetBit(0) > at)
                    .toList());
        }
    }

    /** Whether strands of loops in a row send all calls that are sent now, and wait fewer times. */
    private boolean isShorter(StrandPlan plan, Part part, @Nullable FlatCode written, List<PlannedLoop> loops) {
        Map<Integer, Integer> owners = owners(plan, part, written);
        Set<Integer> sent = new HashSet<>(owners.values());
        int now = 0;
        for (PlannedLoop loop : loops) {
            if (!sent.containsAll(loop.sent())) {
                return false;
            }
            now += loop.steps();
        }
        return plan.walks().isEmpty() && StrandSteps.all(plan).length() < now;
    }

    /** Whether the code of a method that makes calls stands in the place of an op in the planned code. */
    private boolean isWritten(int index) {
        return method.op(index) instanceof InsnOp op
                && op.method() != null
                && method.effects().settingOf(op) == null
                && MapCalls.of(op.method(), method.helpers()) == null
                && FlatMethod.isWritten(method.helpers(), op.method());
    }

    /** Whether an op calls a method that calls itself and has strands. */
    private boolean isWalk(Method in, int index) {
        Walks.Walk walk = in.hidesRemote(index) ? Walks.of(method.helpers()).of(in.callOf(index)) : null;
        return walk != null && walk.code() != graph.body().original();
    }

    /** Places strands for some calls, or for those on both sides of what they cannot cross. */
    private void place(List<Integer> targets) {
        int weight = targets.stream()
                .mapToInt(target -> method.isCandidate(target) ? 1 : 2)
                .sum();
        if (weight < LEAST_CALLS || attempts >= MOST_ATTEMPTS || areSentTogether(targets)) {
            return;
        }
        attempts++;
        Part part = part(targets);
        if (part == null) {
            return;
        }
        int barrier = barrier(part, new BitSet());
        if (barrier < 0) {
            barrier = attempt(part, List.of());
        }
        if (barrier >= 0) {
            int at = barrier;
            place(targets.stream().filter(target -> target < at).toList());
            place(targets.stream().filter(target -> target > at).toList());
        }
    }

    /** Whether one group has all of these calls: no call of them waits for another one. */
    private boolean areSentTogether(List<Integer> targets) {
        return groups.stream().anyMatch(group -> group.calls().containsAll(targets));
    }

    /** The part of the method that makes some calls, null if it has no entry at which the operand stack is empty. */
    private @Nullable Part part(List<Integer> targets) {
        return part(targets, draft.nest().innermost(draft.blocks().blockOf(method.op(targets.get(0)))));
    }

    /**
     * The same.
     *
     * @param around the innermost loop around all of them
     */
    private @Nullable Part part(List<Integer> targets, @Nullable Loop around) {
        BasicBlock block = draft.blocks().blockOf(method.op(targets.get(0)));
        for (int target : targets) {
            BasicBlock of = draft.blocks().blockOf(method.op(target));
            while (block != null && !draft.dominators().dominates(block, of)) {
                block = draft.dominators().immediate(block);
            }
        }
        while (block != null && draft.nest().innermost(block) != around) {
            block = draft.dominators().immediate(block); // out of the first loop
        }
        for (;
                block != null && draft.nest().innermost(block) == around;
                block = draft.dominators().immediate(block)) {
            List<Op> ops = block.ops();
            for (int i = ops.size() - 1; i >= 0 && !(ops.get(i) instanceof CatchOp); i--) {
                int entry = graph.body().indexOf(ops.get(i));
                boolean isBefore = targets.stream().noneMatch(target -> target <= entry);
                if (isBefore && ops.get(i) instanceof LineOp) {
                    BitSet part = ops(targets, entry, header(around));
                    if (part.get(entry) && isOpen(graph, entry, part)) {
                        return new Part(targets, entry, part);
                    }
                }
            }
        }
        return null;
    }

    /** The ops from an entry on from which one of some calls can be reached in the same pass of the loop around them. */
    private BitSet ops(List<Integer> targets, int entry, int header) {
        return ops(graph, targets, entry, header);
    }

    private static BitSet ops(OpGraph graph, List<Integer> targets, int entry, int header) {
        BitSet stops = new BitSet();
        if (header >= 0) {
            stops.set(header);
        }
        BitSet reached = graph.reachable(entry, stops);
        if (header >= 0 && header != entry) {
            reached.clear(header);
        }
        BitSet found = new BitSet();
        List<Integer> work = new ArrayList<>(targets);
        while (!work.isEmpty()) {
            int at = work.remove(work.size() - 1);
            if (!reached.get(at) || found.get(at)) {
                continue;
            }
            found.set(at);
            for (int from : at == entry ? new int[0] : joined(graph.previous(at), graph.throwers(at))) {
                work.add(from);
            }
        }
        return found;
    }

    private static int[] joined(int[] one, int[] other) {
        return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
    }

    /** Whether control comes in at the entry alone, and nothing but variables has a value there that is needed behind it. */
    private static boolean isOpen(OpGraph graph, int entry, BitSet ops) {
        BitSet live = graph.reachable(0);
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            for (int from : i == entry ? new int[0] : joined(graph.previous(i), graph.throwers(i))) {
                if (live.get(from) && !ops.get(from)) {
                    return false;
                }
            }
        }
        Region region = new Region(graph, entry, ops);
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            for (Register use : graph.op(i).uses()) {
                if (!use.isLocal() && region.definitions(i, use).get(region.outside(use))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * The first op of a part that no call may cross, or that belongs to a loop with a plan; -1 if there is none.
     *
     * @param joined the ops of loops whose plans are to be replaced
     */
    private int barrier(Part part, BitSet joined) {
        for (int i = part.ops().nextSetBit(0); i >= 0; i = part.ops().nextSetBit(i + 1)) {
            boolean isCall = method.isCandidate(i) || part.targets().contains(i);
            if (placed.get(i) && !joined.get(i)
                    || !isCall && method.effects().of(method.op(i)).barrier() != null) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Plans a part, and places its strands if they pay; returns what no call may cross, -1 if there is none.
     *
     * @param loops those in a row whose plans the strands are to replace; none if the part is calls in straight line
     */
    private int attempt(Part part, List<PlannedLoop> loops) {
        Part in = part;
        FlatCode written = null;
        Method planned = method;
        LoopNest nest = draft.nest();
        if (part.targets().stream().anyMatch(this::isWritten)) {
            written = flat(part.ops());
            in = written == null ? null : flat(written, part);
            if (written == null || in == null) {
                return -1;
            }
            planned = written.method();
            nest = written.nest();
            int barrier = barrier(written, in);
            if (barrier >= 0) {
                return barrier;
            }
        }
        StrandPlanner planner = new StrandPlanner(
                planned,
                strands(planned, in, nest),
                method,
                strands(method, part, draft.nest()),
                written == null ? null : written.code());
        StrandPlan plan = planner.planPart();
        boolean isOfLoops = !loops.isEmpty();
        if (plan != null && (isOfLoops ? isShorter(plan, part, written, loops) : pays(plan, part, written))) {
            draft.replace(isOfLoops ? loops.stream().map(PlannedLoop::placement).toList() : touched(part), plan);
            planner.refusals().forEach(refusals::putIfAbsent);
        } else if (!isOfLoops) {
            planner.refusals().forEach(refusals::putIfAbsent);
        }
        return -1;
    }

    private static StrandPart strands(Method in, Part part, LoopNest nest) {
        List<Loop> inner = new ArrayList<>();
        for (Loop loop : nest.loops()) {
            BitSet ops = in.graph().opsOf(loop);
            boolean isInside = part.ops().intersects(ops) && !ops.get(part.entry());
            Loop outer = loop.outer();
            if (isInside && (outer == null || in.graph().opsOf(outer).get(part.entry()))) {
                inner.add(loop);
            }
        }
        return new StrandPart(part.entry(), part.ops(), inner, false);
    }

    private List<GroupPlan> touched(Part part) {
        return groups.stream()
                .filter(group -> group.calls().stream().anyMatch(part.targets()::contains))
                .toList();
    }

    /**
     * Whether a program waits fewer times with strands than with the groups that are planned, each of which is at best one
     * round trip.
     */
    private boolean pays(StrandPlan plan, Part part, @Nullable FlatCode written) {
        List<GroupPlan> before = touched(part);
        for (GroupPlan group : before) {
            boolean isGuess =
                    group.parts().stream().anyMatch(each -> !each.assumed().isEmpty());
            if (isGuess || !part.targets().containsAll(group.calls())) {
                return false;
            }
        }
        Map<Integer, Integer> owners = owners(plan, part, written);
        StrandSteps steps = StrandSteps.all(plan);
        Set<Integer> sent = new HashSet<>(owners.values());
        int now = before.size();
        int then = plan.walks().isEmpty() ? steps.length() : Math.max(steps.length(), WAITS_OF_A_WALK);
        for (int target : part.targets()) {
            boolean isGrouped = before.stream().anyMatch(group -> group.calls().contains(target));
            if (!sent.contains(target)) {
                then++;
                now += isGrouped ? 0 : 1;
            } else if (!isGrouped) {
                now += plan.walks().keySet().stream().anyMatch(walk -> owners.getOrDefault(walk, -1) == target)
                        ? WAITS_OF_A_WALK
                        : steps.length(call -> owners.getOrDefault(call, -1) == target);
            }
        }
        return then < now;
    }

    /** The places of the method itself, by the calls that strands send for them. */
    private Map<Integer, Integer> owners(StrandPlan plan, Part part, @Nullable FlatCode written) {
        Map<Integer, Integer> owners = new HashMap<>();
        List<Integer> calls = new ArrayList<>(plan.sends().keySet());
        calls.addAll(plan.walks().keySet());
        for (int call : calls) {
            int owner = written == null ? call : ownerOf(written, call, part.targets());
            owners.put(call, owner);
        }
        return owners;
    }

    private int ownerOf(FlatCode written, int index, List<Integer> targets) {
        FlatMethod.Origin origin =
                written.method().op(index) instanceof InsnOp op ? written.code().origin(op.insn()) : null;
        if (origin == null) {
            return -1;
        }
        AbstractInsnNode insn =
                origin.path().isEmpty() ? origin.insn() : origin.path().get(0);
        for (int target : targets) {
            if (method.op(target) instanceof InsnOp op && op.insn() == insn) {
                return target;
            }
        }
        return -1;
    }

    /** The same part in the code that holds the helpers, null if it cannot be told. */
    private @Nullable Part flat(FlatCode written, Part part) {
        OpGraph in = written.method().graph();
        int entry = entryIn(in, part.entry());
        if (entry < 0) {
            return null;
        }
        List<Integer> targets = new ArrayList<>();
        for (int i = 0; i < in.size(); i++) {
            boolean isCall = written.method().isCandidate(i) || isWalk(written.method(), i);
            if (isCall && ownerOf(written, i, part.targets()) >= 0) {
                targets.add(i);
            }
        }
        Loop around = written.nest().innermost(ControlFlowGraph.of(in.body()).blockOf(in.op(entry)));
        int header = around == null ? -1 : in.body().indexOf(around.header().first());
        BitSet ops = ops(in, targets, entry, header);
        return ops.get(entry) && isOpen(in, entry, ops) ? new Part(targets, entry, ops) : null;
    }

    /** The op of another code of the method that marks the same line at the same place, -1 if the two have not the same marks. */
    private int entryIn(OpGraph in, int entry) {
        List<Integer> here = lines(graph);
        List<Integer> there = lines(in);
        return here.size() == there.size() ? there.get(here.indexOf(entry)) : -1;
    }

    private static List<Integer> lines(OpGraph graph) {
        List<Integer> lines = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            if (graph.op(i) instanceof LineOp) {
                lines.add(i);
            }
        }
        return lines;
    }

    /** The call of the method itself whose code holds what no call may cross, -1 if there is none. */
    private int barrier(FlatCode written, Part part) {
        Method in = written.method();
        for (int i = part.ops().nextSetBit(0); i >= 0; i = part.ops().nextSetBit(i + 1)) {
            boolean isCall = in.isCandidate(i) || isWalk(in, i);
            if (!isCall && in.effects().of(in.op(i)).barrier() != null && in.op(i) instanceof InsnOp op) {
                FlatMethod.Origin origin = written.code().origin(op.insn());
                if (origin != null) {
                    return indexOf(
                            origin.path().isEmpty()
                                    ? origin.insn()
                                    : origin.path().get(0));
                }
            }
        }
        return -1;
    }

    private int indexOf(AbstractInsnNode call) {
        for (int i = 0; i < graph.size(); i++) {
            if (method.op(i) instanceof InsnOp op && op.insn() == call) {
                return i;
            }
        }
        return -1;
    }

    /** The method with its helpers, or with those that some of its ops call; null if none can be written there. */
    private @Nullable FlatCode flat(BitSet ops) {
        if (!isFlattened) {
            isFlattened = true;
            whole = FlatCode.of(method, false);
        }
        return whole == null ? FlatCode.ofPart(method, ops, false) : whole;
    }
}
