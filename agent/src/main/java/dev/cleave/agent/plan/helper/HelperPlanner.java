package dev.cleave.agent.plan.helper;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Decides whether a method is a {@link Helper} (R68): its calls stand in no loop and under no handler, and what it
 * does besides is known. If a class may override it, its object has to be tested.
 */
final class HelperPlanner {

    /** The most calls that a helper makes. */
    private static final int MOST_CALLS = 8;

    private final MethodNode target;
    private final MethodBody body;
    private final Method method;
    private final HelperShape shape;
    private final List<Integer> calls = new ArrayList<>();
    private boolean makesSeveral;

    HelperPlanner(ClassNode owner, MethodNode target, Callees helpers) throws Unsupported {
        this.target = target;
        this.body = helpers.body(target);
        this.method = helpers.method(body);
        this.shape = new HelperShape(owner, target, helpers, method, Rule.R68);
    }

    Helper plan() throws Refused {
        shape.check();
        findCalls();
        checkSeveral();
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
        ReorderingCheck crossing = new ReorderingCheck(method, whole, pure.executed(), calls, List.of());
        BitSet all = new BitSet();
        all.set(0, method.graph().size());
        List<EntryTest> tests = new ArrayList<>(crossing.check(all));
        tests.addAll(stubTests());
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
        shape.checkDepth(depth, calls.get(0));
        return new Helper(
                shape.key(),
                name(calls.get(0)),
                body,
                slicer.slice(calls, tests),
                List.copyOf(reads),
                writes(pure, called),
                setting(),
                depth,
                called,
                shape.exact(),
                doors(called));
    }

    /** Returns the guards of helpers of other classes; refuses a class whose initialiser has effects. */
    private List<CrossClassGuard> doors(Map<Integer, Helper> called) throws Refused {
        Set<CrossClassGuard> doors = new LinkedHashSet<>();
        for (Map.Entry<Integer, Helper> each : called.entrySet()) {
            MethodInsnNode call = method.callOf(each.getKey());
            boolean isOwn = each.getValue().body().owner().equals(body.owner());
            if (!isOwn && call.getOpcode() == Opcodes.INVOKESTATIC) {
                Barrier barrier = method.effects().initialising(call.owner).barrier();
                if (barrier != null) {
                    throw method.refused(each.getKey(), barrier);
                }
            }
            doors.addAll(each.getValue().doorsFrom(body.owner(), call));
        }
        return List.copyOf(doors);
    }

    private String name(int first) {
        Helper helper = method.helper(first);
        return shape.name(helper == null ? method.nameOf(first) : helper.name());
    }

    private void findCalls() throws Refused {
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.isCandidate(i)) {
                calls.add(i);
            }
        }
        if (calls.isEmpty()) {
            throw refused(0, HelperShape.NONE_MAY_MOVE, "mark the remote method @Async, @ReadOnly or @Pure");
        }
        for (int call : calls) {
            for (int successor : method.graph().all(call)) {
                BitSet later = method.graph().reachable(successor);
                for (int other : calls) {
                    if (other == call && later.get(other)) {
                        throw refused(call, HelperShape.OWN_LOOP, "call in one loop");
                    }
                    makesSeveral |= later.get(other);
                }
            }
        }
    }

    private void checkSeveral() throws Refused {
        if (!makesSeveral) {
            return;
        }
        if (calls.size() > MOST_CALLS) {
            throw refused(0, "it makes more than " + MOST_CALLS + " calls", "split it");
        }
        for (int call : calls) {
            if (method.helper(call) != null) {
                throw refused(call, "it makes a call beside that of another helper", "write one helper for each call");
            }
        }
    }

    /**
     * Returns the tests that all receivers are stubs: a call of a local object must not run between calls that are
     * sent.
     */
    private List<EntryTest> stubTests() throws Refused {
        List<EntryTest> tests = new ArrayList<>();
        Aliases aliases = new Aliases(method, method.whole());
        for (int call : makesSeveral ? calls : List.<Integer>of()) {
            Value receiver = aliases.atEntry(call, method.op(call).uses().get(0));
            if (receiver == null) {
                throw method.refused(
                        Rule.R3, call, "the receiver of " + method.nameOf(call) + " may be a local object");
            }
            tests.add(new EntryTest(EntryTest.Kind.STUB, List.of(receiver), ""));
        }
        return tests;
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
        if (!method.whole().allEnd()) {
            throw refused(0, "it may never end", "restructure it");
        }
        for (Loop loop : shape.nest().loops()) {
            if (!CertainEnd.isOf(body, loop)) {
                int header = body.indexOf(loop.header().first());
                throw refused(header, "a loop in it may not end", "give that loop a counter");
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
        boolean isShared = makesSeveral && common.window() != CallSetting.AUTOMATIC_WINDOW;
        int window = isShared ? Math.max(1, common.window() / calls.size()) : common.window();
        return CallSetting.async(window).with(reading());
    }

    /** Returns what all calls of the method have in common: the method changes something if one of its calls does. */
    private Reading reading() throws Refused {
        SendOrder order = new SendOrder(method);
        Reading common = Reading.PURE;
        for (int call : calls) {
            CallSetting setting = method.setting(call);
            for (int other : calls) {
                if (order.readsWhatChanges(call, other)) {
                    Refusal why = order.overlap(call, other).refusal();
                    throw refused(call, why.reason(), why.advice());
                }
            }
            if (setting != null && setting.reading().kind() != Reading.Kind.PURE) {
                common = setting.reading();
            }
        }
        return common;
    }

    /** Returns the writes of the method as written, but for writes to objects that it makes for itself. */
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
        return shape.refused(index, reason, advice);
    }
}
