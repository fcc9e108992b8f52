package dev.cleave.agent.plan;

import dev.cleave.agent.flow.Block;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Plans one loop (Group E): which of its calls can be sent ahead of its iterations. */
final class LoopPlanner {

    private final Method method;
    private final ControlFlowGraph blocks;
    private final LoopNest nest;
    private final Loop loop;
    private final Region region;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    LoopPlanner(Method method, ControlFlowGraph blocks, LoopNest nest, Loop loop) {
        this.method = method;
        this.blocks = blocks;
        this.nest = nest;
        this.loop = loop;
        this.region = new Region(
                method.graph(), method.graph().body().indexOf(loop.header().first()), opsOf(loop));
    }

    /** The calls that no inner loop contains. */
    List<Integer> calls() {
        List<Integer> calls = new ArrayList<>();
        BitSet ops = region.ops();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (method.isCandidate(i) && nest.innermost(blocks.blockOf(method.op(i))) == loop) {
                calls.add(i);
            }
        }
        return calls;
    }

    /** Why calls of the loop are not sent ahead. */
    Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** The plans for the loop: one or none. */
    List<LoopPlan> plan() {
        List<Integer> calls = calls();
        List<Integer> members = new ArrayList<>();
        for (int call : calls) {
            try {
                attempt(List.of(call));
                members.add(call);
            } catch (Refused refused) {
                refusals.put(call, refused.refusal());
            }
        }
        while (!members.isEmpty()) {
            try {
                return List.of(attempt(members));
            } catch (Refused refused) {
                refusals.put(members.remove(members.size() - 1), refused.refusal());
            }
        }
        return List.of();
    }

    private LoopPlan attempt(List<Integer> members) throws Refused {
        checkShape(members);
        Slicer slicer = new Slicer(method, region, Set.of());
        try {
            slicer.addPasses();
        } catch (Refused refused) {
            Refusal inner = refused.refusal();
            String rule = inner.rule().equals("R30") ? "R37" : inner.rule();
            throw new Refused(new Refusal(
                    rule, inner.line(), "whether the loop goes on is open: " + inner.reason(), inner.advice()));
        }
        for (int member : members) {
            slicer.addSend(member);
        }
        SendSlice pure = slicer.slice(members, List.of());
        new SkippedCode(method, region).check(pure);
        Crossing crossing = new Crossing(method, region, pure.executed(), members, pure.iterators());
        List<EntryTest> tests = crossing.check(region.ops());
        if (method.isChained()) {
            new ChainCrossing(method, region, pure.executed(), members).check(region.ops());
        }
        return new LoopPlan(slicer.slice(members, tests), window(members), skips(members), method.isChained());
    }

    private int window(List<Integer> members) {
        int window = Integer.MAX_VALUE;
        for (int member : members) {
            CallSetting setting = method.setting(member);
            window = Math.min(window, setting == null ? 1 : setting.window());
        }
        return Math.max(window, members.size());
    }

    private void checkShape(List<Integer> members) throws Refused {
        for (Loop inner : loop.inner()) {
            BitSet ops = opsOf(inner);
            if (!new CountedLoop(method, ops).ends()) {
                throw method.refused(
                        "R11", ops.nextSetBit(0), "the loop inside it may not end", "give that loop a counter");
            }
            for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
                if (method.isCandidate(i)) {
                    throw method.refused(
                            "R40", i, "the loop inside it calls too", "move one of the two into a method of its own");
                }
            }
        }
        if (!region.allEnd()) {
            throw method.refused("R29", region.entry(), "the loop has a part that never ends", "restructure the loop");
        }
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            checkHandlers(i);
            if (!region.ordinary().get(i)) {
                checkHandlerCode(i);
            }
        }
        if (members.stream().anyMatch(member -> !region.ordinary().get(member))) {
            throw method.refused("R41", members.get(0), "the call is in an exception handler", "move it out");
        }
    }

    /** Handlers of the loop must come before those around it, so that what is left can be given up in between. */
    private void checkHandlers(int index) throws Refused {
        boolean outside = false;
        for (Handler handler : method.graph().body().handlersOf(method.op(index))) {
            boolean isInside = region.ops().get(method.graph().body().indexOf(handler.target()));
            if (isInside && outside) {
                throw method.refused("R41", index, "the exception handlers are interleaved", "restructure the try");
            }
            outside |= !isInside;
        }
    }

    private void checkHandlerCode(int index) throws Refused {
        for (int successor : method.graph().next(index)) {
            if (!region.ops().get(successor)) {
                throw method.refused("R37", index, "an exception handler leaves the loop", "leave it elsewhere");
            }
        }
    }

    /** For each handler in the loop the calls that it keeps the pass from; ambiguous ones are refused (R41). */
    private Map<Integer, List<Integer>> skips(List<Integer> members) throws Refused {
        Map<Integer, List<Integer>> skips = new HashMap<>();
        for (Handler handler : method.graph().body().handlers()) {
            int target = method.graph().body().indexOf(handler.target());
            if (!region.ops().get(target) || skips.containsKey(target)) {
                continue;
            }
            List<Integer> skipped = new ArrayList<>();
            BitSet after = region.after(target);
            for (int i = 0; i < members.size(); i++) {
                if (!after.get(members.get(i))) {
                    skipped.add(i);
                } else if (!isCertain(target, members.get(i))) {
                    throw method.refused(
                            "R41", target, "whether the call follows depends on an exception", "call it in both cases");
                }
            }
            skips.put(target, skipped);
        }
        return skips;
    }

    /** Whether every way on from a handler passes a call before the pass ends. */
    private boolean isCertain(int from, int call) {
        Deque<Integer> work = new ArrayDeque<>(List.of(from));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int index = work.pop();
            if (index == call || seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : method.graph().all(index)) {
                if (successor == region.entry() || !region.ops().get(successor)) {
                    return false;
                }
                work.push(successor);
            }
        }
        return true;
    }

    private BitSet opsOf(Loop of) {
        BitSet ops = new BitSet();
        for (Block block : of.blocks()) {
            for (Op op : block.ops()) {
                ops.set(method.graph().body().indexOf(op));
            }
        }
        return ops;
    }
}
