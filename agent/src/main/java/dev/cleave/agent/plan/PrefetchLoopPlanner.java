package dev.cleave.agent.plan;

import dev.cleave.agent.flow.Block;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans which calls of one loop are made ahead and claimed (R56): what happens between them does not matter. */
final class PrefetchLoopPlanner {

    private final Method method;
    private final ControlFlowGraph blocks;
    private final LoopNest nest;
    private final Loop loop;
    private final int entry;
    private final BitSet ops = new BitSet();
    private final Staleness staleness;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    PrefetchLoopPlanner(Method method, ControlFlowGraph blocks, LoopNest nest, Loop loop) {
        this.method = method;
        this.blocks = blocks;
        this.nest = nest;
        this.loop = loop;
        this.entry = method.graph().body().indexOf(loop.header().first());
        for (Block block : loop.blocks()) {
            for (Op op : block.ops()) {
                ops.set(method.graph().body().indexOf(op));
            }
        }
        this.staleness = new Staleness(method, ops);
    }

    /** Why calls are not prefetched. */
    Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** The plan for the loop, null if it has no call that can be prefetched. */
    @Nullable
    PrefetchPlan plan() {
        List<Integer> members = new ArrayList<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (!method.isPrefetchable(i) || nest.innermost(blocks.blockOf(method.op(i))) != loop) {
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
        checkHandlers();
        Guesses guesses = new Guesses(method, entry, ops, members, true);
        Region region = guesses.region();
        if (!region.allEnd() || !region.repeats()) {
            throw method.refused("R29", entry, "the loop has a part that never ends", "restructure the loop");
        }
        Slicer slicer = new Slicer(method, region, Set.of(), ops);
        slicer.addPasses();
        for (int member : members) {
            slicer.addSend(member);
        }
        SendSlice slice = slicer.slice(members, List.of());
        new RunAheadBounds(method).check(slice);
        boolean ages = members.stream().anyMatch(staleness::ages);
        return new PrefetchPlan(
                ops,
                slice,
                readings(members),
                window(members),
                guesses.leaves(),
                ages ? staleness.marks() : List.of(),
                staleness.remote());
    }

    private List<Reading> readings(List<Integer> members) {
        List<Reading> readings = new ArrayList<>();
        for (int member : members) {
            CallSetting setting = method.effects().settingOf(method.op(member));
            readings.add(setting == null ? Reading.NONE : setting.reading());
        }
        return readings;
    }

    private int window(List<Integer> members) {
        int window = CallSetting.DEFAULT_WINDOW;
        boolean isSet = false;
        for (int member : members) {
            CallSetting setting = method.effects().settingOf(method.op(member));
            if (setting != null && setting.style() == CallSetting.Style.ASYNC) {
                window = isSet ? Math.min(window, setting.window()) : setting.window();
                isSet = true;
            }
        }
        return Math.max(window, members.size());
    }

    /** Handlers of the loop must come before those around it, so that what is left can be given up in between. */
    private void checkHandlers() throws Refused {
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            boolean outside = false;
            for (Handler handler : method.graph().body().handlersOf(method.op(i))) {
                boolean isInside = ops.get(method.graph().body().indexOf(handler.target()));
                if (isInside && outside) {
                    throw method.refused("R41", i, "the exception handlers are interleaved", "restructure the try");
                }
                outside |= !isInside;
            }
        }
    }
}
