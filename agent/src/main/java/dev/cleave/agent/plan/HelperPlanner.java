package dev.cleave.agent.plan;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.flow.Block;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Decides whether a method is a {@link Helper} (R68): no class can override it, it makes one call at most, in no loop
 * and under no handler, and what it does besides is known.
 */
final class HelperPlanner {

    private static final int LARGEST = 600;
    private static final int DEPTH = 4;

    private final ClassNode owner;
    private final MethodNode target;
    private final Helpers helpers;
    private final MethodBody body;
    private final Method method;
    private final List<Integer> calls = new ArrayList<>();

    HelperPlanner(ClassNode owner, MethodNode target, Helpers helpers) throws Unsupported {
        this.owner = owner;
        this.target = target;
        this.helpers = helpers;
        this.body = helpers.body(target);
        this.method = new Method(new OpGraph(body), helpers.effects().of(body), helpers);
    }

    Helper plan() throws Refused {
        checkMethod();
        findCalls();
        checkHandlers();
        checkLoops();
        Region whole = method.whole();
        Slicer slicer = new Slicer(method, whole, Set.of());
        for (int call : calls) {
            slicer.addSend(call);
        }
        SendSlice pure = slicer.slice(calls, List.of());
        if (!pure.iterators().isEmpty()) {
            throw refused(calls.get(0), "its argument comes from an iterator", "give it the element");
        }
        Crossing crossing = new Crossing(method, whole, pure.executed(), calls, List.of());
        BitSet all = new BitSet();
        all.set(0, method.graph().size());
        List<EntryTest> tests = crossing.check(all);
        Set<Access> reads = new LinkedHashSet<>(crossing.places());
        for (EntryTest test : tests) {
            for (Value value : test.values()) {
                value.ops().forEach(op -> addPlaces(method.effects().of(op).reads(), reads));
            }
        }
        Map<Integer, Helper> called = new LinkedHashMap<>();
        for (int call : calls) {
            Helper helper = method.helper(call);
            if (helper != null) {
                called.put(call, helper);
            }
        }
        int depth = 1 + called.values().stream().mapToInt(Helper::depth).max().orElse(0);
        if (depth > DEPTH) {
            throw refused(calls.get(0), "more than " + DEPTH + " helpers call each other", "call directly");
        }
        return new Helper(
                key(),
                name(calls.get(0)),
                body,
                slicer.slice(calls, tests),
                List.copyOf(reads),
                writes(pure, called),
                setting(),
                depth,
                called);
    }

    private String key() {
        return Helper.key(owner.name, target.name, target.desc);
    }

    private String name(int first) {
        int simple = Math.max(owner.name.lastIndexOf('/'), owner.name.lastIndexOf('$')) + 1;
        Helper helper = method.helper(first);
        String call = helper == null ? method.nameOf(first) : helper.name();
        return owner.name.substring(simple) + '.' + target.name + " > " + call;
    }

    private void checkMethod() throws Refused {
        int access = target.access;
        boolean isFixed = (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) != 0
                || (owner.access & Opcodes.ACC_FINAL) != 0;
        if (!isFixed) {
            throw refused(0, "a subclass may override it", "make it private, static or final");
        }
        if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            throw refused(0, "it is synchronized", "call outside of the lock");
        }
        if (helpers.isExcluded(target)) {
            throw refused(0, "it cannot be rewritten", "split it");
        }
        if (body.ops().size() > LARGEST || method.whole().repeats()) {
            throw refused(0, "it is too long", "split it");
        }
    }

    private void findCalls() throws Refused {
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.isCandidate(i)) {
                calls.add(i);
            }
        }
        if (calls.isEmpty()) {
            throw refused(0, "none of its calls may move", "mark the remote method @Async, @ReadOnly or @Pure");
        }
        for (int call : calls) {
            for (int successor : method.graph().all(call)) {
                BitSet later = method.graph().reachable(successor, new BitSet());
                for (int other : calls) {
                    if (later.get(other)) {
                        throw refused(other, "it makes more than one call", "split it into one method for each call");
                    }
                }
            }
        }
    }

    private void checkHandlers() throws Refused {
        for (int call : calls) {
            BitSet before = method.whole().before(call);
            for (int i = before.nextSetBit(0); i >= 0; i = before.nextSetBit(i + 1)) {
                if (method.graph().handlers(i).length > 0) {
                    throw refused(i, "the call, or what precedes it, is in a try", "handle exceptions in the caller");
                }
            }
        }
    }

    private void checkLoops() throws Refused {
        ControlFlowGraph blocks = ControlFlowGraph.of(body);
        LoopNest nest = LoopNest.of(blocks, Dominators.of(blocks));
        if (!nest.reducible() || !method.whole().allEnd()) {
            throw refused(0, "its flow of control is not reducible, or never ends", "restructure it");
        }
        for (Loop loop : nest.loops()) {
            BitSet ops = new BitSet();
            for (Block block : loop.blocks()) {
                for (Op op : block.ops()) {
                    ops.set(body.indexOf(op));
                }
            }
            if (!new CountedLoop(method, ops).ends()) {
                throw refused(ops.nextSetBit(0), "a loop in it may not end", "give that loop a counter");
            }
        }
    }

    private CallSetting setting() throws Refused {
        CallSetting common = null;
        for (int call : calls) {
            CallSetting setting = method.setting(call);
            if (setting == null || !setting.group().isEmpty()) {
                throw refused(call, "its call belongs to a group", "call it directly");
            }
            boolean isNarrower = common == null || setting.window() < common.window();
            common = isNarrower ? setting : common;
        }
        if (common == null) {
            throw new AssertionError(target.name);
        }
        return CallSetting.async(common.window()).with(common.reading());
    }

    /** What the method writes while it runs as written: objects that it makes for itself do not count. */
    private List<Access> writes(SendSlice slice, Map<Integer, Helper> called) {
        Set<Access> writes = new LinkedHashSet<>();
        called.values().forEach(helper -> writes.addAll(helper.writes()));
        Aliases aliases = new Aliases(method, method.whole());
        for (int i = 0; i < method.graph().size(); i++) {
            if (slice.executed().get(i) || calls.contains(i)) {
                continue;
            }
            Effect effect = method.effects().of(method.op(i));
            for (Access write : effect.writes()) {
                Register base = write.base();
                if (base == null || aliases.ownObject(i, base) < 0) {
                    writes.add(new Access(write.place(), null, null));
                }
            }
        }
        return List.copyOf(writes);
    }

    private static void addPlaces(List<Access> accesses, Set<Access> places) {
        accesses.forEach(access -> places.add(new Access(access.place(), null, null)));
    }

    private Refused refused(int index, String reason, String advice) {
        return method.refused("R68", index, target.name + ": " + reason, advice);
    }
}
