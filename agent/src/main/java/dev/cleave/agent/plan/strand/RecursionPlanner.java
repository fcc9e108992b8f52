package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Plans the strands of a method that calls itself, as a walk through a tree does (R72): where a strand comes to a call
 * of the method itself, the strands of the next activation begin, with what the copy has computed for the parameters.
 */
public final class RecursionPlanner {

    private static final boolean IS_OFF = "off".equals(System.getProperty("cleave.strands"));

    private static final int MOST_ROWS = 64;
    private static final int MOST_OPS = 1_500;

    private final Method method;
    private final LoopNest nest;
    private final Region region;
    private final StrandRegisters copies;
    private final List<Integer> selves = new ArrayList<>();
    private final List<Integer> calls = new ArrayList<>();
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final Set<Integer> values = new TreeSet<>(); // parameters that strands begin with
    private final List<Integer> returns = new ArrayList<>(); // where strands give the value of the activation

    private RecursionPlanner(Method method, LoopNest nest) {
        this.method = method;
        this.nest = nest;
        this.region = method.whole();
        this.copies = new StrandRegisters(method, region, new OwnCollections(method, region), this::begun);
    }

    private @Nullable Collection<Integer> begun(int index) {
        if (returns.contains(index)) {
            return List.of(0);
        }
        return selves.contains(index) ? values : null;
    }

    /** Plans a method, if it calls itself. */
    public static void plan(MethodDraft draft) {
        RecursionPlanner planner = new RecursionPlanner(draft.method(), draft.nest());
        StrandPlan plan = planner.plan();
        if (plan != null) {
            draft.add(plan);
        }
        draft.refuseOthers(planner.refusals);
    }

    /** The strands of a method that calls itself; null if there are none. */
    static @Nullable StrandPlan of(Method method) {
        ControlFlowGraph blocks = ControlFlowGraph.of(method.graph().body());
        return new RecursionPlanner(method, LoopNest.of(blocks, Dominators.of(blocks))).plan();
    }

    private @Nullable StrandPlan plan() {
        MethodNode own = method.graph().body().original();
        for (int i = 0; i < method.graph().size(); i++) {
            boolean isCall = method.op(i) instanceof InsnOp op && op.method() != null;
            if (isCall && method.helpers().targetOf(method.callOf(i)) == own) {
                selves.add(i);
            } else if (method.effects().settingOf(method.op(i)) != null) {
                calls.add(i);
            }
        }
        if (selves.isEmpty()) {
            noteMutual(own);
        }
        if (IS_OFF || selves.isEmpty() || calls.isEmpty() || method.helpers().isExcluded(own)) {
            return null;
        }
        try {
            check(own);
            StrandPlan plan = best();
            return plan.recursion() == null || plan.strands().isEmpty() ? null : plan;
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        } finally {
            refusals.keySet().removeIf(call -> !method.isCandidate(call));
        }
    }

    /** Notes that the method calls others that call it. */
    private void noteMutual(MethodNode own) {
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.hidesRemote(i)) {
                MethodNode called = method.helpers().targetOf(method.callOf(i));
                if (called != null && leadsTo(called, own, new HashSet<>())) {
                    Refused refused = method.refused(
                            Rule.R72, i, method.nameOf(i) + " calls this method again", "write them as one method");
                    calls.stream()
                            .filter(method::isCandidate)
                            .forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
                }
            }
        }
    }

    private boolean leadsTo(MethodNode from, MethodNode to, Set<MethodNode> seen) {
        for (AbstractInsnNode insn : from.instructions) {
            MethodNode called =
                    insn instanceof MethodInsnNode call && method.helpers().hidesRemote(call)
                            ? method.helpers().targetOf(call)
                            : null;
            if (called == to || called != null && seen.add(called) && leadsTo(called, to, seen)) {
                return true;
            }
        }
        return false;
    }

    private void check(MethodNode own) throws Refused {
        boolean isFixed = method.helpers().isFinal(own)
                || method.helpers().exact() != null && selves.stream().allMatch(this::isOnItsObject);
        if (!isFixed) {
            throw method.refused(
                    Rule.R72, selves.get(0), "a class may override the method, which calls itself", "make it private");
        }
        if ((own.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            throw method.refused(
                    Rule.R72,
                    selves.get(0),
                    "the method, which calls itself, is synchronized",
                    "lock around the method");
        }
        if (!own.tryCatchBlocks.isEmpty()) {
            throw method.refused(
                    Rule.R72,
                    selves.get(0),
                    "the method calls itself and handles an exception",
                    "handle it around the method");
        }
        if (method.graph().size() > MOST_OPS || calls.size() + selves.size() > MOST_ROWS) {
            throw method.refused(Rule.R72, selves.get(0), "the method is too long", "split the method");
        }
        if (!region.allEnd() || method.graph().previous(0).length > 0) {
            throw method.refused(Rule.R29, selves.get(0), "the method has a part that never ends");
        }
        for (Loop loop : nest.loops()) {
            if (!CertainEnd.isOf(method.graph().body(), loop)) {
                int header = method.graph().body().indexOf(loop.header().first());
                throw method.refused(Rule.R72, header, "a loop inside it may not end", "give that loop a counter");
            }
        }
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.hidesRemote(i) && !selves.contains(i)) {
                throw method.refused(
                        Rule.R72, i, method.nameOf(i) + " calls a remote method itself", "call it in the method");
            }
        }
        for (int call : calls) {
            if (!method.isCandidate(call)) {
                throw method.refused(Rule.R72, call, method.nameOf(call) + " is not @Async", "mark it @Async");
            }
        }
        SentTogether.check(method, region, calls);
    }

    /** Whether the method calls itself for the object that it was called for. */
    private boolean isOnItsObject(int self) {
        Register object = method.graph().body().parameters().get(0);
        return !region.writes(object)
                && region.root(self, method.op(self).uses().get(0)) == object;
    }

    /** The test that the object is of the class itself, unless no class can override the method. */
    private List<EntryTest> tests(MethodNode own) {
        String exact = method.helpers().exact();
        if (method.helpers().isFinal(own) || exact == null) {
            return List.of();
        }
        Value object = new Value(List.of(), method.graph().body().parameters().get(0));
        return List.of(new EntryTest(EntryTest.Kind.CLASS_NAMED, List.of(object), exact));
    }

    /** Plans the strands. If these leave calls out, others may send more that give each other the values of activations. */
    private StrandPlan best() throws Refused {
        StrandPlan plan = strands();
        if (refusals.isEmpty() || !returnsValue()) {
            return plan;
        }
        Map<Integer, Refusal> left = new HashMap<>(refusals);
        refusals.clear();
        values.clear();
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.op(i) instanceof ReturnOp) {
                returns.add(i);
            }
        }
        try {
            StrandPlan giving = strands();
            boolean gives = giving.strands().stream()
                    .anyMatch(strand -> strand.slice().sends().contains(returns.get(0)));
            if (gives && refusals.size() < left.size()) {
                return giving;
            }
        } catch (Refused refused) {
            // strands do without the values
        }
        returns.clear();
        refusals.clear();
        refusals.putAll(left);
        return plan;
    }

    private boolean returnsValue() {
        return Type.getReturnType(method.graph().body().original().desc).getSort() != Type.VOID;
    }

    private StrandPlan strands() throws Refused {
        int before;
        Map<Set<Integer>, List<Integer>> groups;
        do { // what strands begin with has to be computed where the method calls itself, which may need more
            before = values.size();
            groups = groups();
            for (Map.Entry<Set<Integer>, List<Integer>> group : groups.entrySet()) {
                if (values.size() == before) {
                    addValues(slice(group.getValue(), List.copyOf(group.getKey())));
                }
            }
        } while (values.size() > before);
        Map<Integer, Integer> rows = rows();
        Map<Integer, StrandPlan.Call> sends = new LinkedHashMap<>();
        boolean begins = false;
        List<StrandPlan.Strand> strands = new ArrayList<>();
        String name = method.graph().body().original().name;
        for (Map.Entry<Set<Integer>, List<Integer>> group : groups.entrySet()) {
            SendSlice slice = slice(group.getValue(), List.copyOf(group.getKey()));
            checkTests(slice);
            checkHandedOn(slice);
            strands.add(copies.strand(slice, new BitSet()));
            for (int send : group.getValue()) {
                CallSetting setting = method.setting(send);
                if (selves.contains(send)) {
                    begins = true;
                } else if (returns.contains(send)) {
                    continue;
                } else if (setting != null) {
                    int row = requireNonNull(rows.get(send), "row");
                    sends.put(
                            send,
                            new StrandPlan.Call(
                                    row,
                                    method.nameOf(send),
                                    setting.window(),
                                    method.graph().body().owner(),
                                    name,
                                    method.line(send),
                                    false,
                                    false));
                }
            }
        }
        Map<Integer, Integer> claims = new LinkedHashMap<>(rows);
        claims.keySet().removeAll(selves);
        boolean isTree = !sends.isEmpty() && begins;
        Map<Integer, Integer> own = new LinkedHashMap<>(rows);
        own.keySet().retainAll(selves);
        StrandPlan.Recursion recursion =
                isTree ? new StrandPlan.Recursion(own, List.copyOf(values), Set.copyOf(returns)) : null;
        return new StrandPlan(
                region,
                strands,
                null,
                null,
                recursion,
                sends,
                Map.of(),
                rows.size(),
                region,
                claims,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                tests(method.graph().body().original()),
                Map.of());
    }

    private Map<Integer, Integer> rows() {
        Set<Integer> all = new TreeSet<>(calls);
        all.addAll(selves);
        Map<Integer, Integer> rows = new LinkedHashMap<>();
        all.forEach(call -> rows.put(call, rows.size()));
        return rows;
    }

    /**
     * The calls that can be sent, those of the method itself included, by the results that they need; and the places where it returns,
     * if strands give the value of the activation.
     */
    private Map<Set<Integer>, List<Integer>> groups() {
        Map<Set<Integer>, List<Integer>> groups = new LinkedHashMap<>();
        List<Integer> placed = new ArrayList<>();
        Set<List<Integer>> left = new LinkedHashSet<>();
        calls.forEach(call -> left.add(List.of(call)));
        selves.forEach(self -> left.add(List.of(self)));
        if (!returns.isEmpty()) {
            left.add(returns);
        }
        boolean isMore = true;
        while (isMore) {
            Map<List<Integer>, Set<Integer>> found = new LinkedHashMap<>();
            left.forEach(sends -> find(sends, placed, found));
            for (List<Integer> sends : found.isEmpty() ? left : Set.<List<Integer>>of()) {
                if (found.isEmpty() && mayBeLookedAt(sends.get(0))) { // it may need the results of its own calls
                    List<Integer> looks = new ArrayList<>(placed);
                    looks.addAll(sends);
                    find(sends, looks, found);
                }
            }
            found.forEach((sends, needs) -> {
                groups.computeIfAbsent(needs, key -> new ArrayList<>()).addAll(sends);
                refusals.remove(sends.get(0));
                if (mayBeLookedAt(sends.get(0))) {
                    placed.addAll(sends);
                }
            });
            left.removeAll(found.keySet());
            isMore = !found.isEmpty();
        }
        return groups;
    }

    /** Whether strands may look at the result of a call. */
    private boolean mayBeLookedAt(int send) {
        return selves.contains(send) ? !returns.isEmpty() : !returns.contains(send);
    }

    private void find(List<Integer> sends, List<Integer> placed, Map<List<Integer>, Set<Integer>> found) {
        try {
            Set<Integer> needs = new LinkedHashSet<>();
            slice(sends, placed).looks().stream().forEach(needs::add);
            found.put(sends, needs);
        } catch (Refused refused) {
            refusals.put(sends.get(0), refused.refusal());
        }
    }

    private SendSlice slice(List<Integer> sends, List<Integer> looks) throws Refused {
        Slicer slicer = new Slicer(method, region, Set.of());
        slicer.lookAt(looks);
        slicer.repeat();
        List<Integer> remote = new ArrayList<>(sends);
        remote.removeAll(selves);
        remote.removeAll(returns);
        for (int send : sends) {
            if (returns.contains(send)) {
                slicer.addReturn(send);
            } else if (selves.contains(send)) {
                slicer.addSelf(send, List.copyOf(values));
            } else {
                slicer.addSend(send);
            }
        }
        SendSlice pure = slicer.slice(sends, List.of());
        BitSet copied = (BitSet) pure.executed().clone();
        selves.forEach(copied::clear);
        ReorderingCheck crossing =
                ReorderingCheck.strict(method, region, (BitSet) copied.clone(), remote, pure.iterators());
        remote.forEach(copied::set);
        crossing.testCopied(copied); // in each activation for itself
        BitSet others = (BitSet) region.ops().clone();
        selves.forEach(others::clear);
        return slicer.slice(sends, crossing.check(others));
    }

    /** Adds the parameters that a strand reads. */
    private void addValues(SendSlice slice) {
        List<Register> parameters = method.graph().body().parameters();
        BitSet copied = (BitSet) slice.executed().clone();
        slice.sends().forEach(copied::set);
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            boolean isLook = slice.looks().get(i) && !slice.sends().contains(i);
            if (isLook || selves.contains(i)) {
                continue;
            }
            for (Register use : method.op(i).uses()) {
                addValue(parameters.indexOf(use));
            }
        }
        for (int i : slice.sends()) {
            if (selves.contains(i)) {
                for (int value : List.copyOf(values)) {
                    addValue(parameters.indexOf(method.op(i).uses().get(value)));
                }
            }
        }
    }

    private void addValue(int parameter) {
        if (parameter >= 0) {
            values.add(parameter);
        }
    }

    /** Refuses tests of anything but what all activations have in common: they are made in the first one. */
    private void checkTests(SendSlice slice) throws Refused {
        List<Register> parameters = method.graph().body().parameters();
        for (EntryTest test : slice.tests()) {
            for (Value value : test.values()) {
                Set<Register> own = new HashSet<>();
                Set<Register> read = new LinkedHashSet<>();
                for (Op op : value.ops()) {
                    op.uses().stream().filter(use -> !own.contains(use)).forEach(read::add);
                    own.add(op.def());
                }
                if (!own.contains(value.result())) {
                    read.add(value.result());
                }
                for (Register register : read) {
                    int parameter = parameters.indexOf(register);
                    if (parameter < 0 || !isKept(register, parameter)) {
                        throw method.refused(
                                Rule.R72,
                                selves.get(0),
                                "the method calls itself with other objects, of which too little is known",
                                "keep them in fields");
                    }
                }
            }
        }
    }

    /**
     * Refuses a copy that changes an object of its own where it may have handed it on: the next activation's strands may
     * read it later.
     */
    private void checkHandedOn(SendSlice slice) throws Refused {
        for (int self : slice.sends()) {
            if (!selves.contains(self) || !handsOnObjects(self)) {
                continue;
            }
            for (int i = slice.executed().nextSetBit(0);
                    i >= 0;
                    i = slice.executed().nextSetBit(i + 1)) {
                for (Access write : method.effects().of(method.op(i)).writes()) {
                    Register base = write.base();
                    int made = base == null ? -1 : region.origin(i, base);
                    BitSet again = new BitSet();
                    again.set(Math.max(made, 0));
                    if (!(write.place() instanceof HeapRegion.Cursor)
                            && region.afterUpTo(self, again).get(i)) {
                        throw method.refused(
                                Rule.R72,
                                i,
                                "it changes an object that the method may have called itself with",
                                "make another object");
                    }
                }
            }
        }
    }

    private boolean handsOnObjects(int self) {
        for (int value : values) {
            Register given = method.op(self).uses().get(value);
            boolean isParameter = isKept(method.graph().body().parameters().get(value), value);
            if (given.kind() == RegisterKind.REFERENCE
                    && !isParameter
                    && !method.effects().isValue(method.op(self), given)
                    && !method.effects().isValue(typeOf(value))) {
                return true;
            }
        }
        return false;
    }

    private Type typeOf(int parameter) {
        Type[] types = Type.getArgumentTypes(method.graph().body().original().desc);
        int first = method.graph().body().parameters().size() - types.length;
        return parameter < first ? Type.getObjectType(method.graph().body().owner()) : types[parameter - first];
    }

    /** Whether the method calls itself with the same value of a parameter. */
    private boolean isKept(Register register, int parameter) {
        return !region.writes(register)
                && selves.stream()
                        .allMatch(
                                self -> region.root(self, method.op(self).uses().get(parameter)) == register);
    }
}
