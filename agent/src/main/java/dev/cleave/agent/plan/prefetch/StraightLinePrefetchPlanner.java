package dev.cleave.agent.plan.prefetch;

import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StraightLinePrefetchPlan;
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
import org.jspecify.annotations.Nullable;

/**
 * Plans which calls that no split can move are made ahead and claimed in straight line (R56): each as early as what
 * decides about it exists, above branches too. A slice that needs what unknown code or another call gives begins behind
 * that.
 *
 * <p>What stands in a loop is looked at within one pass: each pass sends anew.
 */
public final class StraightLinePrefetchPlanner {

    /** The most ops between a call and the place where it is sent. */
    private static final int FARTHEST = 1_000;

    /** The most calls that are sent at one place. */
    private static final int MOST = 32;

    /** The most bytes of code, about, of a method with prefetched calls: less than the limit of the JIT (R51). */
    private static final int LARGEST = 6_500;

    private static final int BYTES_OF_OP = 2;
    private static final int BYTES_OF_COPY = 6;
    private static final int BYTES_OF_CALL = 80;

    /** The most times that the place of one call is moved down. */
    private static final int MOST_TRIES = 12;

    private final Method method;
    private final ControlFlowGraph blocks;
    private final Dominators dominators;
    private final LoopNest nest;
    private final BitSet closed;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    private record Found(int start, SendSlice slice) {}

    private StraightLinePrefetchPlanner(MethodDraft draft) {
        this.method = draft.method();
        this.blocks = draft.blocks();
        this.dominators = draft.dominators();
        this.nest = draft.nest();
        this.closed = draft.closed();
    }

    /** Plans the calls that no planner has placed. */
    public static void plan(MethodDraft draft) {
        StraightLinePrefetchPlanner planner = new StraightLinePrefetchPlanner(draft);
        planner.plan().forEach(draft::add);
        draft.refuse(planner.refusals);
    }

    /** The plans, in the order of their places. */
    private List<StraightLinePrefetchPlan> plan() {
        Map<Integer, List<SendSlice>> found = new TreeMap<>();
        int bytes = BYTES_OF_OP * method.graph().size();
        for (int i = 0; i < method.graph().size() && bytes < LARGEST; i++) {
            if (!method.isPrefetchable(i) || !method.eligible().allows(i) || closed.get(i)) {
                continue;
            }
            Found place = find(i);
            if (place == null) {
                continue;
            }
            List<SendSlice> slices = found.computeIfAbsent(place.start(), start -> new ArrayList<>());
            bytes += BYTES_OF_CALL + BYTES_OF_COPY * place.slice().executed().cardinality();
            if (slices.size() < MOST && bytes < LARGEST) {
                slices.add(place.slice());
            }
        }
        found.values().removeIf(List::isEmpty);
        List<StraightLinePrefetchPlan> plans = new ArrayList<>();
        found.forEach((start, slices) -> plans.add(stretch(start, slices)));
        return plans;
    }

    private @Nullable Found find(int call) {
        int start = earliest(call);
        for (int tries = 0; start >= 0 && tries < MOST_TRIES; tries++) {
            BitSet ops = between(start, call);
            if (!ops.get(start)) {
                return null;
            }
            int obstacle;
            try {
                obstacle = stop(call, start, ops);
                if (obstacle < 0) {
                    return pays(call, ops) ? attempt(call, start, ops) : null;
                }
            } catch (Refused refused) {
                refusals.put(call, refused.refusal());
                obstacle = refused.index();
            }
            start = obstacle < 0 || obstacle == call ? -1 : behind(obstacle, call, ops);
        }
        return null;
    }

    private int stop(int call, int start, BitSet ops) {
        Staleness staleness = new Staleness(method, ops);
        int stop = staleness.reads(call) ? staleness.lastStop(call, start) : -1;
        if (stop >= 0) {
            refusals.put(call, staleness.refused(call, stop).refusal());
        }
        return stop;
    }

    private @Nullable Found attempt(int call, int start, BitSet ops) throws Refused {
        if (closed.get(start)) {
            return null;
        }
        Region region = new BranchPrediction(method, start, ops, List.of(call), false).region();
        if (!region.allEnd()) {
            throw method.refused(Rule.R29, start, "a loop on the way to the call may never end", "give it a counter");
        }
        Slicer slicer = new Slicer(method, region, Set.of());
        slicer.addSend(call);
        SendSlice slice = slicer.slice(List.of(call), List.of());
        checkIterators(slice);
        new RunAheadBounds(method).check(slice);
        BitSet rest = (BitSet) ops.clone();
        rest.andNot(slice.executed());
        return pays(call, rest) ? new Found(isStart(start) ? -1 : start, slice) : null;
    }

    /** Refuses a slice that takes an element from an iterator: only the program itself may take the element. */
    private void checkIterators(SendSlice slice) throws Refused {
        if (slice.iterators().isEmpty()) {
            return;
        }
        int last = -1;
        for (int i = slice.executed().nextSetBit(0);
                i >= 0;
                i = slice.executed().nextSetBit(i + 1)) {
            boolean steps = method.effects().of(method.op(i)).writes().stream()
                    .anyMatch(write -> write.place() instanceof HeapRegion.Cursor);
            last = steps ? i : last;
        }
        throw method.refused(Rule.R34, last, "its argument comes from an iterator", "take the next element earlier");
    }

    private boolean isStart(int start) {
        return start == 0 && nest.innermost(blocks.blockOf(method.op(0))) == null;
    }

    /** Whether something may take long between the place where a call is sent and the call. */
    private boolean pays(int call, BitSet between) {
        for (int i = between.nextSetBit(0); i >= 0; i = between.nextSetBit(i + 1)) {
            Effect effect = method.effects().of(method.op(i));
            Barrier barrier = effect.barrier();
            boolean mayTakeLong = barrier != null
                    && (barrier.kind() == Barrier.Kind.UNKNOWN_CALL
                            || barrier.kind() == Barrier.Kind.UNKNOWN_JDK_CALL
                            || barrier.kind() == Barrier.Kind.INPUT_OUTPUT);
            if (i != call && (mayTakeLong || effect.output() || method.setting(i) != null)) {
                return true;
            }
        }
        return false;
    }

    /** The first place of its loop, or of the method, from which a call is always reached by way of a dominator. */
    private int earliest(int call) {
        int earliest = -1;
        for (int place : places(call)) {
            if (call - place <= FARTHEST) {
                earliest = place;
            }
        }
        return earliest;
    }

    /** Places that are passed on each way to a call, in the same loop, the last one first. */
    private List<Integer> places(int call) {
        List<Integer> places = new ArrayList<>();
        BasicBlock block = blocks.blockOf(method.op(call));
        Loop loop = nest.innermost(block);
        for (BasicBlock at = block; at != null; at = dominators.immediate(at)) {
            boolean isInside = loop == null || loop.contains(at);
            if (!isInside) {
                break;
            }
            boolean isHandler = at.ops().stream().anyMatch(CatchOp.class::isInstance);
            int place = nest.innermost(at) == loop ? place(at, call) : -1;
            if (place >= 0) {
                places.add(place);
            }
            if (isHandler || loop != null && at == loop.header()) {
                break;
            }
        }
        return places;
    }

    /** Where calls may be sent first in a block; -1 if nowhere before a call. */
    private int place(BasicBlock block, int call) {
        boolean isCaught = block.ops().stream().noneMatch(CatchOp.class::isInstance);
        for (Op op : block.ops()) {
            int index = method.graph().body().indexOf(op);
            if (index > call && blocks.blockOf(method.op(call)) == block) {
                break;
            }
            if (isCaught && method.eligible().allows(index)) {
                return index;
            }
            isCaught |= op instanceof CatchOp;
        }
        return -1;
    }

    /** The first place behind an op that is passed on each way to a call; -1 if there is none. */
    private int behind(int obstacle, int call, BitSet ops) {
        if (!ops.get(obstacle)) {
            return -1;
        }
        Op op = method.op(obstacle);
        int[] next = method.graph().next(obstacle);
        BasicBlock block = blocks.blockOf(method.op(call));
        if (next.length == 1
                && op.fallsThrough()
                && ops.get(next[0])
                && dominators.dominates(blocks.blockOf(method.op(next[0])), block)) {
            return next[0];
        }
        int found = -1;
        for (int place : places(call)) {
            if (!ops.get(place) || mayCome(place, obstacle, call, ops)) {
                break;
            }
            found = place;
        }
        return found;
    }

    /** Whether an op may run behind a place and before a call. */
    private boolean mayCome(int place, int op, int call, BitSet ops) {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(place));
        while (!work.isEmpty()) {
            int index = work.pop();
            if (index == op) {
                return true;
            }
            if (index == call || seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : method.graph().next(index)) {
                if (ops.get(successor)) {
                    work.push(successor);
                }
            }
        }
        return false;
    }

    /** The ops on the ways from a place to an op on which nothing is thrown, within the loop around that op. */
    private BitSet between(int start, int target) {
        BitSet back = walk(target, start, false);
        if (!back.get(start)) {
            return new BitSet();
        }
        return back;
    }

    /** The ops from which a target may be reached without passing a place twice, perhaps by way of exceptions. */
    private BitSet walk(int target, int start, boolean throwing) {
        Loop loop = nest.innermost(blocks.blockOf(method.op(target)));
        int header =
                loop == null ? -1 : method.graph().body().indexOf(loop.header().first());
        BitSet back = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(target));
        while (!work.isEmpty()) {
            int index = work.pop();
            if (back.get(index)) {
                continue;
            }
            back.set(index);
            if (index == start || index == header) {
                continue;
            }
            for (int from : method.graph().previous(index)) {
                work.push(from);
            }
            if (throwing) {
                for (int from : method.graph().throwers(index)) {
                    work.push(from);
                }
            }
        }
        return back;
    }

    private StraightLinePrefetchPlan stretch(int start, List<SendSlice> slices) {
        int from = Math.max(start, 0);
        List<ReadCall> calls = new ArrayList<>();
        BitSet passed = new BitSet();
        for (SendSlice slice : slices) {
            int call = slice.sends().get(0);
            calls.addAll(method.readCalls(call));
            if (new Staleness(method, passed).ages(call)) {
                passed.or(walk(call, from, true));
            }
        }
        Staleness staleness = new Staleness(method, passed);
        BitSet behind = (BitSet) method.graph().reachable(from).clone();
        return new StraightLinePrefetchPlan(
                start, slices, calls, staleness.marks(Set.of()), staleness.remote(), staleness.guards(), behind);
    }
}
