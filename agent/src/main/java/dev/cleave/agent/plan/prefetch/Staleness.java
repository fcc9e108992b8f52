package dev.cleave.agent.plan.prefetch;

import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.TypeInsnNode;

/** Finds the ops at which prefetched results become stale (R60, R61). */
public final class Staleness {

    /** Stands for the entry of a pass through a whole method, which ends with its return. */
    public static final int WHOLE = -1;

    private final Method method;
    private final BitSet ops;

    /** Classes of the JDK whose objects run no other code. */
    private static final Set<String> OWN = Set.of(
            "java/lang/StringBuilder",
            "java/util/ArrayList",
            "java/util/ArrayDeque",
            "java/util/HashMap",
            "java/util/HashSet",
            "java/util/LinkedHashMap",
            "java/util/LinkedHashSet",
            "java/util/LinkedList");

    /** Looks at some ops of a method. */
    public Staleness(Method method, BitSet ops) {
        this.method = method;
        this.ops = ops;
    }

    /** Whether a call reads what other calls change, and its results must not be older than its place. */
    boolean ages(int call) {
        return method.readCalls(call).stream().anyMatch(ReadCall::ages);
    }

    /** Whether a call reads what other calls change. */
    boolean reads(int call) {
        return method.readCalls(call).stream().allMatch(ReadCall::isReadOnly);
    }

    /** Whether each run of a whole method makes the results stale that were prefetched before it. */
    public boolean alwaysAges() {
        return !comesBack(WHOLE, stops(-1, true));
    }

    /**
     * Returns the ops before which results become stale; a remote call is one only if its receiver is no stub.
     *
     * @param helpers calls of helpers, which mark the results stale themselves
     */
    public List<Integer> marks(Set<Integer> helpers) {
        List<Integer> marks = new ArrayList<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            boolean isMark = method.effects().settingOf(method.op(i)) != null || isBarrier(i);
            if (!helpers.contains(i) && (isMark || !guards(i).isEmpty())) {
                marks.add(i);
            }
        }
        return marks;
    }

    /** What must hold of objects at run time, or code of the program runs at a mark, by its op. */
    public Map<Integer, List<Guard>> guards() {
        Map<Integer, List<Guard>> guards = new TreeMap<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            boolean isMark = method.effects().settingOf(method.op(i)) != null || isBarrier(i);
            List<Guard> found = isMark ? List.of() : guards(i);
            if (!found.isEmpty()) {
                guards.put(i, found);
            }
        }
        return guards;
    }

    private List<Guard> guards(int index) {
        Set<Guard> guards =
                new LinkedHashSet<>(method.effects().of(method.op(index)).guards());
        guards.removeIf(guard -> holds(index, guard));
        return List.copyOf(guards);
    }

    /** Whether the code itself says so: the object is made here, of a class that is known. */
    private boolean holds(int index, Guard guard) {
        int made = method.whole().origin(index, guard.object());
        boolean isNew = made >= 0 && method.op(made) instanceof InsnOp insn && insn.opcode() == Opcodes.NEW;
        if (!isNew) {
            return false;
        }
        String type = ((TypeInsnNode) ((InsnOp) method.op(made)).insn()).desc;
        boolean isUnderConstruction = method.op(index) instanceof InsnOp init
                && init.method() != null
                && init.method().name.equals("<init>");
        return isUnderConstruction || OWN.contains(type) || guard.type().equals(type);
    }

    /** The remote calls. */
    public BitSet remote() {
        BitSet remote = new BitSet();
        ops.stream()
                .filter(i -> method.effects().settingOf(method.op(i)) != null)
                .forEach(remote::set);
        return remote;
    }

    /**
     * Refuses a call whose results are stale after every pass.
     *
     * @param entry where passes begin, or {@link #WHOLE}
     */
    public void check(int call, int entry) throws Refused {
        if (!reads(call)) {
            return;
        }
        BitSet stops = stops(call, method.readCalls(call).stream().allMatch(ReadCall::ages));
        if (!stops.isEmpty() && !comesBack(entry, stops)) {
            throw refused(call, stops.nextSetBit(0));
        }
    }

    /** Returns the ops that may change what a call reads, if a call is given, and the ops that make results stale. */
    private BitSet stops(int call, boolean marks) {
        BitSet stops = new BitSet();
        ops.stream()
                .filter(i -> call >= 0 && mayChange(i, call) || marks && isMark(i))
                .forEach(stops::set);
        return stops;
    }

    /** The last op on the way to a call behind which it has to be sent, -1 if some way is free of such ops. */
    int lastStop(int call, int entry) {
        BitSet stops = stops(call, ages(call));
        BitSet open = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(call));
        int last = -1;
        while (!work.isEmpty()) {
            int index = work.pop();
            if (index == entry) {
                return -1;
            }
            for (int before : method.graph().previous(index)) {
                if (!ops.get(before) || open.get(before)) {
                    continue;
                }
                if (stops.get(before)) {
                    last = Math.max(last, before);
                } else {
                    open.set(before);
                    work.push(before);
                }
            }
        }
        return last;
    }

    /** Why a call must not be sent before an op. */
    Refused refused(int call, int stop) {
        String name = method.nameOf(call);
        if (mayChange(stop, call)) {
            return method.refused(
                    Rule.R60,
                    stop,
                    method.nameOf(stop) + " may change what " + name + " reads",
                    "call it behind the calls that read; " + new SendOrder(method).groupsApart(stop, call));
        }
        Barrier barrier = method.effects().of(method.op(stop)).barrier();
        String what = barrier == null ? "it" : barrier.what();
        return method.refused(
                Rule.R61,
                stop,
                what + " runs between two calls, and their results must not be older",
                "mark " + name + " @Pure, or @ReadOnly(maxAge = ...) if its results may be that old");
    }

    private boolean comesBack(int entry, BitSet stops) {
        Deque<Integer> work = new ArrayDeque<>(List.of(Math.max(entry, 0)));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int index = work.pop();
            if (stops.get(index)) {
                continue;
            }
            if (entry == WHOLE && method.op(index) instanceof ReturnOp) {
                return true;
            }
            for (int successor : method.graph().next(index)) {
                if (successor == entry) {
                    return true;
                }
                if (ops.get(successor) && !seen.get(successor)) {
                    seen.set(successor);
                    work.push(successor);
                }
            }
        }
        return false;
    }

    /** Whether an op is a call that may change what another one reads; different groups do not. */
    private boolean mayChange(int index, int call) {
        CallSetting setting = method.effects().settingOf(method.op(index));
        if (setting == null || setting.reading().kind() != Reading.Kind.NONE) {
            return false;
        }
        CallSetting reader = method.effects().settingOf(method.op(call)); // null for a helper: it may read anything
        String group = setting.group();
        return reader == null || group.isEmpty() || reader.group().isEmpty() || group.equals(reader.group());
    }

    private boolean isMark(int index) {
        PrefetchHelper helper = method.prefetchHelper(index);
        return helper == null ? isBarrier(index) : helper.ages();
    }

    private boolean isBarrier(int index) {
        Op op = method.op(index);
        if (method.effects().settingOf(op) != null) {
            return false;
        }
        Barrier barrier = method.effects().of(op).barrier();
        if (barrier == null) {
            return method.effects().of(op).guards().stream().anyMatch(guard -> guard.kind() == Guard.Kind.VALUE);
        }
        boolean isClock = barrier.kind() == Barrier.Kind.TIME
                && op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.startsWith("java/");
        return !isClock;
    }
}
