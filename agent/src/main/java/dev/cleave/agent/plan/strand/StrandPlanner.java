package dev.cleave.agent.plan.strand;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Carried;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.OwnCollections;
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
    private final @Nullable Loop loop;
    private final CaughtExceptions caught;
    private final Region region;
    private final Method real;
    private final Region realLoop;
    private final @Nullable FlatMethod flat;
    private final OwnCollections own;
    private final List<Integer> selves;
    private final Set<Integer> values;
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
        BitSet ops = method.graph().opsOf(loop);
        int entry = method.graph().body().indexOf(loop.header().first());
        this.caught = new CaughtExceptions(method, entry, ops);
        this.region = new Region(caught.graph(), entry, ops);
        this.real = real;
        this.realLoop = flat == null ? region : region(real, realLoop);
        this.flat = flat;
        this.selves = List.of();
        this.values = Set.of();
        this.own = new OwnCollections(method, region);
    }

    /**
     * Prepares it for a method that calls itself, all of which is the region.
     *
     * @param selves where it calls itself
     * @param values the parameters with which strands begin
     */
    StrandPlanner(Method method, Region region, List<Integer> selves, Set<Integer> values) {
        this.selves = selves;
        this.values = values;
        this.caught = new CaughtExceptions(method, region.entry(), region.ops());
        this.method = method;
        this.loop = null;
        this.region = region;
        this.real = method;
        this.realLoop = region;
        this.flat = null;
        this.own = new OwnCollections(method, region);
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
        return loop == null || loop.inner().isEmpty() && !caught.areHandled() ? null : planLoop();
    }

    /** The strands of the nest, or of a loop alone; null if there are none. */
    @Nullable
    StrandPlan planLoop() {
        if (IS_OFF || method.isChained()) {
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
            checkNest(loop, calls);
            return plan(calls);
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    private void checkNest(Loop outermost, List<Integer> calls) throws Refused {
        if (!region.allEnd()) {
            throw method.refused(Rule.R29, region.entry(), "the loop has a part that never ends");
        }
        if (region.ops().cardinality() > MOST_OPS) {
            throw method.refused(Rule.R71, region.entry(), "the nest is too long", "split the method");
        }
        checkInner(outermost);
        checkCalls(calls);
    }

    /** Refuses calls that strands must not send beside the others. */
    void checkCalls(List<Integer> calls) throws Refused {
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

    /**
     * What a strand waits for.
     *
     * @param isChain whether the calls of the strand itself are among it
     */
    private record Needs(Set<Integer> results, boolean isChain) {}

    private @Nullable StrandPlan plan(List<Integer> calls) throws Refused {
        List<Integer> placed = new ArrayList<>();
        List<Integer> left = new ArrayList<>(calls);
        List<StrandPlan.Strand> strands = new ArrayList<>(strands(left, placed, false));
        StrandPlan.Queue queue = null;
        for (QueueFeed feed : left.isEmpty() || handles() ? List.<QueueFeed>of() : QueueFeed.all(method, region, own)) {
            if (queue == null) {
                queue = feed(feed, left, placed, strands);
            }
        }
        if (!left.isEmpty()) {
            Map<Integer, Refusal> before = new HashMap<>(refusals);
            StrandPlan passes = passes(calls, placed.size());
            if (passes != null) {
                return passes;
            }
            refusals.clear();
            refusals.putAll(before);
        }
        strands.addAll(strands(left, placed, !handles()));
        boolean isEmpty = strands.isEmpty() || strands.size() > MOST_STRANDS;
        return isEmpty ? null : new StrandRows(method, region, real, realLoop, flat).plan(strands, queue, null);
    }

    private boolean handles() {
        return region.ops().stream().anyMatch(region::handles);
    }

    /**
     * Plans strands for as many calls as possible, and moves these from those that are left to those placed.
     *
     * @param mayChain whether a strand may wait for results of its own calls
     */
    private List<StrandPlan.Strand> strands(List<Integer> left, List<Integer> placed, boolean mayChain) throws Refused {
        Map<Needs, List<Integer>> groups = new LinkedHashMap<>();
        while (!left.isEmpty()) {
            Map<Integer, Needs> found = new LinkedHashMap<>();
            for (int call : left) {
                Needs needs = needs(call, placed);
                if (needs != null) {
                    found.put(call, needs);
                }
            }
            for (int i = 0; mayChain && i < left.size() && found.isEmpty(); i++) {
                List<Integer> looks = new ArrayList<>(placed);
                looks.add(left.get(i));
                Needs needs = needs(left.get(i), looks);
                if (needs != null) {
                    found.put(left.get(i), needs);
                }
            }
            if (found.isEmpty()) {
                break;
            }
            found.forEach((call, needs) -> {
                groups.computeIfAbsent(needs, key -> new ArrayList<>()).add(call);
            });
            placed.addAll(found.keySet());
            left.removeAll(found.keySet());
        }
        if (mayChain && groups.keySet().stream().allMatch(Needs::isChain) && groups.size() == placed.size()) {
            return List.of(); // the calls of a chain follow one another, and nothing else is sent
        }
        placed.forEach(refusals::remove);
        List<StrandPlan.Strand> strands = new ArrayList<>();
        for (Map.Entry<Needs, List<Integer>> group : groups.entrySet()) {
            List<Integer> results = List.copyOf(group.getKey().results());
            strands.add(strand(slice(group.getValue(), results)));
        }
        return strands;
    }

    /** Plans a strand that sends what a queue tells it to, and one that fills the queue; null if that is not possible. */
    private StrandPlan.@Nullable Queue feed(
            QueueFeed feed, List<Integer> left, List<Integer> placed, List<StrandPlan.Strand> strands) {
        List<Integer> calls = new ArrayList<>();
        for (int call : left) {
            try {
                if (feed.serves(slice(List.of(call), placed, feed, List.of()))) {
                    calls.add(call);
                }
            } catch (Refused refused) {
                refusals.putIfAbsent(call, refused.refusal());
            }
        }
        try {
            SendSlice sends = slice(calls, placed, feed, List.of());
            List<Integer> looks = new ArrayList<>(placed);
            looks.addAll(calls);
            SendSlice adds = slice(List.of(), looks, null, feed.added());
            StrandPlan.Strand reader = strand(sends, feed.asks(sends));
            StrandPlan.Strand writer = strand(adds);
            Register read = holder(reader, feed);
            Register written = holder(writer, feed);
            if (calls.isEmpty() || read == null || written == null) {
                return null;
            }
            calls.forEach(refusals::remove);
            placed.addAll(calls);
            left.removeAll(calls);
            strands.add(reader);
            strands.add(writer);
            return new StrandPlan.Queue(
                    strands.size() - 2, read, strands.size() - 1, written, feed.asks(sends), feed.isReadBehind());
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    private @Nullable Register holder(StrandPlan.Strand strand, QueueFeed feed) {
        return strand.copies().stream()
                .filter(copy -> own.of(region.entry(), copy) == feed.queue())
                .findAny()
                .orElse(null);
    }

    /** Plans strands of its own for each pass; null if these would not send more calls than some number. */
    private @Nullable StrandPlan passes(List<Integer> calls, int than) {
        try {
            PassPlanner passes = new PassPlanner(method, region, caught, this, calls);
            List<StrandPlan.Strand> strands = passes.strands(calls, MOST_STRANDS);
            refusals.clear();
            refusals.putAll(passes.refusals());
            if (calls.size() - refusals.size() <= than || strands.isEmpty()) {
                return null;
            }
            return new StrandRows(method, region, real, realLoop, flat).plan(strands, null, passes.guide(strands));
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    /** What a call needs of the results of some calls, null if it needs others, or cannot be sent ahead. */
    private @Nullable Needs needs(int call, List<Integer> looks) {
        try {
            Set<Integer> results = new LinkedHashSet<>();
            slice(List.of(call), looks).looks().stream().forEach(results::add);
            return new Needs(results, results.contains(call));
        } catch (Refused refused) {
            if (!looks.contains(call)) {
                refusals.put(call, refused.refusal());
            }
            return null;
        }
    }

    private SendSlice slice(List<Integer> calls, List<Integer> looks) throws Refused {
        return slice(calls, looks, null, List.of());
    }

    /**
     * The slice of some calls.
     *
     * @param feed the queue to which another strand adds, null if there is none
     * @param ops what belongs to it besides
     */
    private SendSlice slice(List<Integer> calls, List<Integer> looks, @Nullable QueueFeed feed, List<Integer> ops)
            throws Refused {
        Slicer slicer = new Slicer(method, region, Set.of());
        slicer.lookAt(looks);
        slicer.copyCollections(own);
        if (feed != null) {
            slicer.feed(feed.queue());
        }
        slicer.addPlaces(List.of(region.again(), region.out()));
        for (int call : calls) {
            slicer.addSend(call);
        }
        for (int op : ops) {
            slicer.addOp(op);
        }
        SendSlice pure = slicer.slice(calls, List.of());
        ReorderingCheck crossing = ReorderingCheck.strict(method, region, pure.executed(), calls, pure.iterators());
        crossing.copyCollections(own);
        return slicer.slice(calls, crossing.check(region.ops()));
    }

    /** Returns the strand of a slice. */
    StrandPlan.Strand strand(SendSlice slice) throws Refused {
        return strand(slice, new BitSet());
    }

    private StrandPlan.Strand strand(SendSlice slice, BitSet asks) throws Refused {
        BitSet copied = (BitSet) slice.executed().clone();
        slice.sends().stream()
                .filter(send -> method.isCandidate(send) || selves.contains(send))
                .forEach(copied::set);
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            if (!slice.looks().get(i)) {
                checkMoves(i);
            }
        }
        StrandTypes types = new StrandTypes(method);
        Carried carried = new Carried(slice, this::operands);
        BitSet stops = (BitSet) slice.looks().clone();
        slice.sends().forEach(stops::set);
        stops.set(slice.region().entry());
        stops.or(asks);
        Map<Integer, Map<Register, Type>> kept = new LinkedHashMap<>();
        for (int i = stops.nextSetBit(0); i >= 0; i = stops.nextSetBit(i + 1)) {
            Map<Register, Type> here = new LinkedHashMap<>();
            for (Register register : carried.at(i)) {
                checkFinished(i, register);
                here.put(register, types.of(i, register));
            }
            kept.put(i, here);
        }
        for (Register register : slice.copiedIn()) {
            if (own.of(region.entry(), register) >= 0) {
                throw method.refused(Rule.R71, region.entry(), "a variable holds several collections");
            }
        }
        Map<Register, Type> fixed = fixed(slice, copied, types);
        return new StrandPlan.Strand(slice, kept, fixed, copies(fixed.keySet()));
    }

    /** The registers among some that hold collections of which a strand has copies. */
    private Set<Register> copies(Set<Register> fixed) throws Refused {
        Map<Integer, Register> copies = new LinkedHashMap<>();
        for (Register register : fixed) {
            int made = own.of(region.entry(), register);
            if (made >= 0 && copies.put(made, register) != null) {
                throw method.refused(
                        Rule.R71, region.entry(), "two variables hold one collection", "use one variable for it");
            }
        }
        return new LinkedHashSet<>(copies.values());
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
            for (Register use : operands(i)) {
                if (!slice.banked().contains(use) && !fixed.containsKey(use)) {
                    fixed.put(use, types.of(slice.region().entry(), use));
                }
            }
        }
        return fixed;
    }

    /** What a copy of an op reads: of a call of the method itself, the values with which strands begin. */
    private List<Register> operands(int index) {
        List<Register> uses = method.op(index).uses();
        return selves.contains(index) ? values.stream().map(uses::get).toList() : uses;
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
