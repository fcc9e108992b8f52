package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Carried;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Plans the strands of a nest of loops (R71): which of its calls can be sent ahead where the bound of an inner loop, a
 * condition or an argument is the result of another call of the nest.
 *
 * <p>Calls that need the same results are sent by one strand. A strand is a copy of everything that decides about its
 * calls, with the ways out of the nest, so it never sends what the program does not come to unless something is thrown.
 */
final class StrandPlanner {

    private static final boolean IS_OFF = "off".equals(System.getProperty("cleave.strands"));

    private static final int MOST_STRANDS = 12;
    private static final int MOST_OPS = 1_500;

    private final Method method;
    private final Loop loop;
    private final Region region;
    private final Method real;
    private final Region realLoop;
    private final @Nullable FlatMethod flat;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    /** Prepares it for a nest that calls no helpers. */
    StrandPlanner(Method method, Loop loop) {
        this(method, loop, method, loop, null);
    }

    /**
     * Prepares it.
     *
     * @param method code with the helpers in their places
     * @param loop the outermost loop there
     * @param real the method itself
     * @param realLoop the same loop there
     * @param flat where instructions of that code come from, null if it is the method itself
     */
    StrandPlanner(Method method, Loop loop, Method real, Loop realLoop, @Nullable FlatMethod flat) {
        this.method = method;
        this.loop = loop;
        this.region = region(method, loop);
        this.real = real;
        this.realLoop = flat == null ? region : region(real, realLoop);
        this.flat = flat;
    }

    private static Region region(Method method, Loop loop) {
        return new Region(
                method.graph(),
                method.graph().body().indexOf(loop.header().first()),
                method.graph().opsOf(loop));
    }

    /** Why calls of the nest are not sent by strands, by their place in the method itself. */
    Map<Integer, Refusal> refusals() {
        if (flat == null) {
            return refusals;
        }
        Map<AbstractInsnNode, Refusal> reasons = new IdentityHashMap<>();
        refusals.forEach((call, refusal) -> {
            FlatMethod.Origin origin = method.op(call) instanceof InsnOp op ? flat.origin(op.insn()) : null;
            if (origin != null) {
                reasons.put(
                        origin.path().isEmpty() ? origin.insn() : origin.path().get(0), refusal);
            }
        });
        Map<Integer, Refusal> placed = new HashMap<>();
        for (int i = realLoop.ops().nextSetBit(0); i >= 0; i = realLoop.ops().nextSetBit(i + 1)) {
            Refusal refusal = real.op(i) instanceof InsnOp op ? reasons.get(op.insn()) : null;
            if (refusal != null) {
                placed.put(i, refusal.at(real.line(i)));
            }
        }
        return placed;
    }

    /** The strands of the nest, null if there are none. */
    @Nullable
    StrandPlan plan() {
        boolean isNest = !loop.inner().isEmpty() || flat != null && (!receivers().isEmpty() || !flat.mappings().isEmpty());
        if (IS_OFF || method.isChained() || !isNest) {
            return null;
        }
        List<Integer> calls = new ArrayList<>();
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (method.isCandidate(i)) {
                calls.add(i);
            }
        }
        if (calls.isEmpty()) {
            return null;
        }
        try {
            checkNest(calls);
            return plan(calls);
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    private void checkNest(List<Integer> calls) throws Refused {
        if (!region.allEnd()) {
            throw method.refused(Rule.R29, region.entry(), "the loop has a part that never ends");
        }
        if (region.ops().cardinality() > MOST_OPS) {
            throw method.refused(Rule.R71, region.entry(), "the nest is too long", "split the method");
        }
        checkInner(loop);
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (region.handles(i)) {
                throw method.refused(Rule.R71, i, "the nest handles an exception", "handle it around the nest");
            }
        }
        SendOrder order = new SendOrder(method);
        for (int call : calls) {
            CallSetting setting = method.setting(call);
            if (method.helper(call) != null || setting == null) {
                throw method.refused(
                        Rule.R71, call, method.nameOf(call) + " calls a remote method itself", "call it in the nest");
            }
            if (!setting.group().isEmpty()) {
                throw method.refused(Rule.R13, call, "strands leave the calls of a group to the program");
            }
            for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
                if (order.readsWhatChanges(call, i)) {
                    throw new Refused(order.overlap(i, call).refusal(), call);
                }
            }
        }
    }

    /**
     * Refuses inner loops that may not end: calls behind an inner loop are sent before the program has run that loop.
     */
    private void checkInner(Loop around) throws Refused {
        for (Loop inner : around.inner()) {
            if (!CertainEnd.isOf(method.graph().body(), inner)) {
                int header = method.graph().body().indexOf(inner.header().first());
                throw method.refused(Rule.R71, header, "a loop inside it may not end", "give that loop a counter");
            }
            checkInner(inner);
        }
    }

    private @Nullable StrandPlan plan(List<Integer> calls) throws Refused {
        List<Integer> placed = new ArrayList<>();
        List<Integer> left = new ArrayList<>(calls);
        left.removeIf(this::stays);
        List<Integer> fillers =
                left.stream().filter(call -> mapping(call) != null).toList();
        Map<Set<Integer>, List<Integer>> groups = new LinkedHashMap<>(); // by the results that they need
        List<Integer> filling = new ArrayList<>(); // one strand fills all maps: two of them may be the same map
        Set<Integer> needed = new LinkedHashSet<>();
        while (!left.isEmpty()) {
            Map<Integer, Set<Integer>> found = new LinkedHashMap<>();
            for (int call : left) {
                try {
                    SendSlice slice = slice(List.of(call), placed, mapping(call) == null ? List.of() : fillers);
                    Set<Integer> needs = new LinkedHashSet<>();
                    slice.looks().stream().forEach(needs::add);
                    found.put(call, needs);
                } catch (Refused refused) {
                    refusals.put(call, refused.refusal());
                }
            }
            if (found.isEmpty()) {
                break;
            }
            found.forEach((call, needs) -> {
                if (mapping(call) == null) {
                    groups.computeIfAbsent(needs, key -> new ArrayList<>()).add(call);
                } else {
                    filling.add(call);
                    needed.addAll(needs);
                }
                refusals.remove(call);
            });
            found.keySet().stream().filter(call -> mapping(call) == null).forEach(placed::add);
            left.removeAll(found.keySet());
        }
        if (groups.size() >= MOST_STRANDS) {
            return null;
        }
        List<EntryTest> classes = classes();
        List<StrandPlan.Strand> strands = new ArrayList<>();
        for (Map.Entry<Set<Integer>, List<Integer>> group : groups.entrySet()) {
            strands.add(strand(slice(group.getValue(), List.copyOf(group.getKey()), List.of())));
        }
        if (!filling.isEmpty()) {
            try {
                strands.add(strand(slice(filling, List.copyOf(needed), filling)));
            } catch (Refused refused) {
                filling.forEach(call -> refusals.put(call, refused.refusal()));
            }
        }
        if (strands.isEmpty()) {
            return null;
        }
        return new StrandRows(method, region, real, realLoop, flat).plan(strands, classes);
    }

    /** Whether a call stays with the program: one of another class, or of a function that fills a map. */
    private boolean stays(int call) {
        boolean stays = flat != null && method.op(call) instanceof InsnOp op && flat.stays(op.insn());
        if (stays) {
            String reason = "strands leave " + method.nameOf(call) + " to the method of the other class that calls it";
            refusals.put(
                    call, method.refused(Rule.R71, call, reason, "call it in the nest").refusal());
        }
        return stays;
    }

    /** The ops of the nest that take objects which code of another class is written for, and these classes. */
    private Map<Integer, String> receivers() {
        Map<Integer, String> found = new LinkedHashMap<>();
        for (int i = region.ops().nextSetBit(0); i >= 0 && flat != null; i = region.ops().nextSetBit(i + 1)) {
            String exact = method.op(i) instanceof InsnOp op ? flat.receivers().get(op.insn()) : null;
            if (exact != null) {
                found.put(i, exact);
            }
        }
        return found;
    }

    /** Tests that these objects are of their classes, wherever the program has them from. */
    private List<EntryTest> classes() throws Refused {
        List<EntryTest> tests = new ArrayList<>();
        Aliases aliases = new Aliases(method, region);
        for (Map.Entry<Integer, String> receiver : receivers().entrySet()) {
            int at = receiver.getKey();
            Value object = aliases.atEntry(at, method.op(at).uses().get(0));
            if (object == null) {
                throw method.refused(
                        Rule.R71,
                        at,
                        "the object of " + receiver.getValue().replace('/', '.') + " is another one in each pass",
                        "take it before the loop");
            }
            tests.add(new EntryTest(EntryTest.Kind.CLASS_NAMED, List.of(object), receiver.getValue()));
        }
        return tests;
    }

    private SendSlice slice(List<Integer> calls, List<Integer> looks, List<Integer> filling) throws Refused {
        Slicer slicer = new Slicer(method, region, Set.of());
        slicer.lookAt(looks);
        slicer.addPlaces(List.of(region.again(), region.out()));
        for (int call : calls) {
            slicer.addSend(call);
        }
        SendSlice pure = slicer.slice(calls, List.of());
        if (flat != null) {
            return new StrandMaps(method, region, flat.mappings()).slice(slicer, calls, pure, filling);
        }
        ReorderingCheck crossing = ReorderingCheck.strict(method, region, pure.executed(), calls, pure.iterators());
        return slicer.slice(calls, crossing.check(region.ops()));
    }

    private MapCalls.@Nullable Code mapping(int call) {
        return flat != null && method.op(call) instanceof InsnOp op ? flat.mapping(op.insn()) : null;
    }

    /** What a strand needs of other classes: that they take what it sends. */
    private List<StrandPlan.Door> doors(SendSlice slice) throws Refused {
        List<StrandPlan.Door> doors = new ArrayList<>();
        for (int send : slice.sends()) {
            AbstractInsnNode insn = ((InsnOp) method.op(send)).insn();
            FlatMethod.Origin origin = flat == null ? null : flat.origin(insn);
            if (flat == null || origin == null || origin.elsewhere() == null) {
                continue;
            }
            MethodInsnNode call = origin.path().get(0);
            AbstractInsnNode taken = flat.taken(call);
            for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
                if (method.op(i) instanceof InsnOp op && op.insn() == taken) {
                    Value object = requireNonNull(
                            new Aliases(method, region).atEntry(i, op.uses().get(0)), "object");
                    String type = requireNonNull(flat.receivers().get(taken), "type");
                    String contract = flat.contract(call, requireNonNull(flat.helper(call), "helper"));
                    doors.add(new StrandPlan.Door(object, type, contract));
                }
            }
        }
        return doors;
    }

    private StrandPlan.Strand strand(SendSlice slice) throws Refused {
        BitSet copied = (BitSet) slice.executed().clone();
        slice.sends().forEach(copied::set);
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            if (!slice.looks().get(i)) {
                checkMoves(i);
            }
        }
        StrandTypes types = new StrandTypes(method);
        Carried carried = new Carried(slice);
        BitSet stops = (BitSet) slice.looks().clone();
        slice.sends().forEach(stops::set);
        stops.set(region.entry());
        Map<Integer, Map<Register, Type>> kept = new LinkedHashMap<>();
        for (int i = stops.nextSetBit(0); i >= 0; i = stops.nextSetBit(i + 1)) {
            Map<Register, Type> here = new LinkedHashMap<>();
            for (Register register : carried.at(i)) {
                checkFinished(i, register);
                here.put(register, types.of(i, register));
            }
            kept.put(i, here);
        }
        return new StrandPlan.Strand(
                slice,
                kept,
                fixed(slice, copied, types),
                flat == null ? Set.of() : new StrandMaps(method, region, flat.mappings()).held(slice),
                doors(slice));
    }

    /** Returns the registers that the copy reads and never writes, with their types. */
    private Map<Register, Type> fixed(SendSlice slice, BitSet copied, StrandTypes types) throws Refused {
        Map<Register, Type> fixed = new LinkedHashMap<>();
        for (OwnIterator own : slice.iterators()) {
            if (!region.ops().get(own.made())) {
                fixed.put(own.iterator(), Type.getObjectType("java/util/Iterator"));
            }
        }
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            if (slice.looks().get(i)) {
                continue;
            }
            for (Register use : method.op(i).uses()) {
                if (!slice.banked().contains(use) && !fixed.containsKey(use)) {
                    fixed.put(use, types.of(region.entry(), use));
                }
            }
        }
        return fixed;
    }

    /** Refuses an op that works in the class itself only: the copy is a method of another class. */
    private void checkMoves(int index) throws Refused {
        Op op = method.op(index);
        boolean isConstant = !(op instanceof ConstOp constant)
                || constant.isPlain()
                || constant.value() instanceof Type type && type.getSort() != Type.METHOD;
        boolean isCode = true;
        if (op instanceof InsnOp insn) {
            boolean isSuper = insn.method() != null
                    && insn.opcode() == Opcodes.INVOKESPECIAL
                    && !insn.method().name.equals("<init>");
            boolean isLambda = insn.dynamic() != null
                    && !insn.dynamic().bsm.getOwner().equals("java/lang/invoke/StringConcatFactory");
            isCode = !isSuper && !isLambda && !isForSubclasses(insn);
        }
        if (!isConstant || !isCode) {
            throw method.refused(
                    Rule.R71,
                    index,
                    "what decides about a call cannot be copied out of the class",
                    "compute it before");
        }
    }

    private boolean isForSubclasses(InsnOp op) {
        Effects effects = method.helpers().effects();
        String user = method.graph().body().owner();
        return op.field() != null && effects.isForSubclasses(user, op.field().owner, op.field().name, op.field().desc)
                || op.method() != null
                        && effects.isForSubclasses(user, op.method().owner, op.method().name, op.method().desc);
    }

    /** Refuses a register with an object whose constructor has not run yet: a strand cannot keep it. */
    private void checkFinished(int index, Register register) throws Refused {
        int made = method.whole().origin(index, register);
        if (made < 0 || !(method.op(made) instanceof InsnOp insn) || insn.opcode() != Opcodes.NEW) {
            return;
        }
        BitSet stops = new BitSet();
        stops.set(made);
        BitSet after = region.afterUpTo(index, stops);
        for (int i = after.nextSetBit(0); i >= 0; i = after.nextSetBit(i + 1)) {
            if (method.op(i) instanceof InsnOp init
                    && init.method() != null
                    && init.method().name.equals("<init>")
                    && method.whole().origin(i, init.uses().get(0)) == made) {
                throw method.refused(Rule.R26, index, "it needs an object whose constructor runs in between");
            }
        }
    }
}
