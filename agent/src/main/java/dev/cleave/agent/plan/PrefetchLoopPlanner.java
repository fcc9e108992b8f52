package dev.cleave.agent.plan;

import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.flow.Block;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/** Plans which calls of one loop are made ahead and claimed (R56): what happens between them does not matter. */
final class PrefetchLoopPlanner {

    /** Methods of the JDK whose results may be of any size. */
    private static final List<String> UNBOUNDED = List.of("repeat", "copyOf", "copyOfRange");

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
        Guesses guesses = new Guesses(method, entry, ops, members);
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
        checkBounds(slice);
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

    /** What a pass ahead costs must have a bound (R67), and what it reads must not be under a lock of the program's. */
    private void checkBounds(SendSlice slice) throws Refused {
        BitSet locked = locked(slice.region());
        for (int i = slice.executed().nextSetBit(0);
                i >= 0;
                i = slice.executed().nextSetBit(i + 1)) {
            Op op = method.op(i);
            if (op instanceof InsnOp insn && insn.opcode() == Opcodes.MULTIANEWARRAY
                    || Guesses.isCallOf(op, UNBOUNDED)) {
                throw method.refused(
                        "R67", i, "an argument of any size is made for the call", "make the argument before the loop");
            }
            boolean reads = slice.checks().getOrDefault(i, List.of()).stream()
                    .anyMatch(guard -> guard.kind() == Guard.Kind.PLAIN);
            if (locked.get(i) && reads) {
                throw method.refused(
                        "R56", i, "an argument comes from a collection under a lock", "read it before locking");
            }
        }
    }

    /** What runs between the taking of a lock and its release in the same pass. */
    private BitSet locked(Region region) {
        BitSet locked = new BitSet();
        Deque<Integer> work = new ArrayDeque<>();
        for (int i = region.ordinary().nextSetBit(0);
                i >= 0;
                i = region.ordinary().nextSetBit(i + 1)) {
            if (takesLock(i)) {
                work.add(i);
            }
        }
        while (!work.isEmpty()) {
            for (int successor : region.successors(work.remove())) {
                boolean isInside = successor < method.graph().size() && !releasesLock(successor);
                if (isInside && !locked.get(successor)) {
                    locked.set(successor);
                    work.add(successor);
                }
            }
        }
        return locked;
    }

    private boolean takesLock(int index) {
        Barrier barrier = method.effects().of(method.op(index)).barrier();
        return barrier != null && barrier.kind() == Barrier.Kind.SYNCHRONISATION && !releasesLock(index);
    }

    private boolean releasesLock(int index) {
        return method.op(index) instanceof InsnOp op
                && (op.opcode() == Opcodes.MONITOREXIT
                        || op.method() != null && op.method().name.startsWith("unlock"));
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
