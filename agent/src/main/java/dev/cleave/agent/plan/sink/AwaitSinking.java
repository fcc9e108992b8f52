package dev.cleave.agent.plan.sink;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.dataflow.Liveness;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.order.ResultConversion;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.placement.SinkPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds how far the await of one call may move down.
 *
 * <p>A walk over the normal edges behind the call. It stops in front of the first op that needs the result (R16) or
 * that {@link SinkLegality} does not let by (R17), and before each edge that leaves the handlers of the call, enters a
 * loop that cannot be passed as a whole, or begins another iteration of the loop around the call (R19, R20). The await
 * stands where the walk stopped: on each path at its own place, on no path twice (R25).
 */
public final class AwaitSinking {

    /** The most ops that an await moves over. */
    private static final int FARTHEST = 600;

    private final Method method;
    private final ControlFlowGraph blocks;
    private final Map<Integer, Set<Register>> sliceReads;
    private final Map<Integer, List<Integer>> sends;
    private final int call;
    private final ResultConversion glue;
    private final List<Handler> handlers;
    private final BitSet liveInHandlers = new BitSet();
    private final SinkLegality unobservable;
    private final BitSet region = new BitSet();
    private final BitSet awaits = new BitSet();
    private boolean isUsed; // while it arrives
    private final Map<LabelOp, Loop> headers = new HashMap<>();
    private final Map<Loop, Boolean> passable = new HashMap<>();

    /**
     * Prepares the walk.
     *
     * @param sliceReads what is read right behind the send of a call, for the calls that others are sent with
     * @param sends the calls that are sent behind another one, by that one
     */
    public AwaitSinking(
            Method method,
            ControlFlowGraph blocks,
            LoopNest nest,
            Liveness liveness,
            Map<Integer, Set<Register>> sliceReads,
            Map<Integer, List<Integer>> sends,
            int call) {
        this.method = method;
        this.blocks = blocks;
        this.sliceReads = sliceReads;
        this.sends = sends;
        this.call = call;
        this.glue = new ResultConversion(method, call);
        this.handlers = handlersOf(call);
        this.unobservable = new SinkLegality(method, call);
        for (Handler handler : handlers) {
            liveInHandlers.or(liveness.liveIn(blocks.blockOf(handler.target())));
        }
        for (Loop loop : nest.loops()) {
            if (loop.header().first() instanceof LabelOp label) {
                headers.put(label, loop);
            }
        }
    }

    /** Where the await can go; the region is empty if it cannot move. */
    SinkPlan plan() {
        List<Integer> glued = glue.ops();
        int last = glued.isEmpty() ? call : glued.get(glued.size() - 1);
        boolean isSeen = glue.results().stream().anyMatch(this::isSeenByHandlers);
        if (!isSeen && !isBorder(last)) {
            walk(last);
        }
        List<Integer> places = awaits.stream().boxed().toList();
        Map<Integer, List<Guard>> tests = new HashMap<>(unobservable.tests());
        tests.keySet().removeIf(index -> !region.get(index));
        List<Integer> crossed =
                region.stream().filter(method::isCandidate).boxed().toList();
        return new SinkPlan(call, glued, region, crossed, places, tests);
    }

    /**
     * Returns the ops that may run before the result is whole, if each use waits for the part it needs; may be empty.
     */
    public BitSet whileItArrives() {
        isUsed = true;
        Register result = method.op(call).def();
        if (result != null && !isSeenByHandlers(result) && !isBorder(call)) {
            walk(call);
        }
        return region;
    }

    private void walk(int from) {
        Deque<Integer> work = new ArrayDeque<>(behind(from));
        while (!work.isEmpty()) {
            int index = work.remove();
            if (region.get(index) || awaits.get(index)) {
                continue;
            }
            if (region.cardinality() >= FARTHEST || !mayPass(index, region) || isBorder(index)) {
                awaits.set(index);
            } else {
                region.set(index);
                work.addAll(behind(index));
            }
        }
    }

    /** The next ops that are no labels. */
    private List<Integer> behind(int index) {
        List<Integer> found = new ArrayList<>();
        for (int successor : method.graph().next(index)) {
            int at = successor;
            while (method.op(at) instanceof LabelOp) {
                at++;
            }
            found.add(at);
        }
        return found;
    }

    /** Whether an edge leaves an op that the await cannot take. */
    private boolean isBorder(int index) {
        for (int successor : method.graph().next(index)) {
            for (int at = successor; ; at++) {
                Op op = method.op(at);
                if (!(op instanceof LabelOp label)) {
                    if (!handlersOf(at).equals(handlers)) {
                        return true;
                    }
                    break;
                }
                Loop loop = headers.get(label);
                if (loop != null && !isInside(loop, index) && !isPassable(loop)
                        || loop != null && isInside(loop, index) && isInside(loop, call)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isInside(Loop loop, int index) {
        return loop.contains(blocks.blockOf(method.op(index)));
    }

    /** Whether a loop certainly ends and holds nothing that the await could not move over. */
    private boolean isPassable(Loop loop) {
        Boolean known = passable.get(loop);
        if (known != null) {
            return known;
        }
        BitSet ops = method.graph().opsOf(loop);
        boolean passes = !isInside(loop, call) && CertainEnd.isOf(method.graph().body(), loop);
        for (Loop inner : loop.inner()) {
            passes = passes && isPassable(inner);
        }
        BitSet around = (BitSet) region.clone();
        around.or(ops);
        for (int i = ops.nextSetBit(0); i >= 0 && passes; i = ops.nextSetBit(i + 1)) {
            boolean isLabel = method.op(i) instanceof LabelOp;
            passes = isLabel
                    || mayPass(i, around)
                            && !method.isCandidate(i)
                            && handlersOf(i).equals(handlers);
        }
        passable.put(loop, passes);
        return passes;
    }

    private boolean mayPass(int index, BitSet passed) {
        Op op = method.op(index);
        Register def = op.def();
        if (isUsed) {
            boolean passes = (def == null || !isSeenByHandlers(def)) && unobservable.mayPass(index, passed);
            return passes && !unobservable.tests().containsKey(index);
        }
        if (op.uses().stream().anyMatch(this::isResult)
                || sliceReads.getOrDefault(index, Set.of()).stream().anyMatch(this::isResult)) {
            return false;
        }
        if (def != null && (isResult(def) || isSeenByHandlers(def))) {
            return false;
        }
        SendOrder order = new SendOrder(method);
        List<Integer> sentHere = sends.getOrDefault(index, List.of());
        if (!sentHere.isEmpty() && method.restores(call)) {
            return false; // their slices may read what the call changes
        }
        if (sentHere.stream().anyMatch(send -> order.conflict(call, send))) {
            return false;
        }
        boolean sharesResult = method.isCandidate(index)
                && new ResultConversion(method, index).results().stream().anyMatch(this::isResult);
        return !sharesResult && unobservable.mayPass(index, passed);
    }

    private boolean isResult(Register register) {
        return glue.results().stream().anyMatch(register::overlaps);
    }

    /** Whether a handler of the call would see what is written to a register (R19). */
    private boolean isSeenByHandlers(Register register) {
        return liveInHandlers.get(register.number());
    }

    private List<Handler> handlersOf(int index) {
        return method.graph().body().handlersOf(method.op(index));
    }
}
