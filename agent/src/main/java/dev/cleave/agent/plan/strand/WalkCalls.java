package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls in a nest of methods that call themselves (R72): which of them the calls of the nest may be sent ahead of, and which of
 * them the strands of the nest may begin ahead.
 */
final class WalkCalls {

    private final Method method;
    private final Region region;
    private final Aliases aliases;
    private final Map<Integer, Walks.Walk> calls = new LinkedHashMap<>();
    private final List<EntryTest> tests = new ArrayList<>();
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    /**
     * Looks for them.
     *
     * @param real the method itself, whose own calls of itself are none of them
     */
    WalkCalls(Method method, Region region, Method real, @Nullable FlatMethod flat) {
        this.method = method;
        this.region = region;
        this.aliases = new Aliases(method, region);
        boolean isMade = real.graph().body().original().name.startsWith("<");
        for (int i = region.ops().nextSetBit(0);
                i >= 0 && !isMade;
                i = region.ops().nextSetBit(i + 1)) {
            boolean isElsewhere = flat != null && method.op(i) instanceof InsnOp op && flat.isElsewhere(op.insn());
            Walks.Walk walk = isElsewhere || !method.hidesRemote(i)
                    ? null
                    : Walks.of(real.helpers()).of(method.callOf(i));
            if (walk != null && walk.code() != real.graph().body().original()) {
                calls.put(i, walk);
            }
        }
        List<Integer> known = calls.entrySet().stream()
                .filter(call -> isKnown(call.getKey(), call.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        calls.keySet().retainAll(known);
    }

    /** Where they stand. */
    Set<Integer> places() {
        return calls.keySet();
    }

    /** Returns the tests at the entry of the nest that those need which run behind what is sent. */
    List<EntryTest> tests() {
        return tests;
    }

    /** Why strands do not begin some of them. */
    Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** The operands with which strands begin at an op, null if it is none of the calls. */
    @Nullable
    List<Integer> values(int index) {
        Walks.Walk walk = calls.get(index);
        return walk == null
                ? null
                : requireNonNull(walk.strands().recursion(), "recursion").values();
    }

    /** The calls with their rows. */
    Map<Integer, StrandPlan.Walk> begun(Map<Integer, Integer> rows) {
        Map<Integer, StrandPlan.Walk> begun = new LinkedHashMap<>();
        rows.forEach((call, row) -> begun.put(
                call, new StrandPlan.Walk(row, requireNonNull(calls.get(call)).strands())));
        return begun;
    }

    /** Whether it is known what such a method does where it is called: its tests can be made at the entry of the nest. */
    private boolean isKnown(int call, Walks.Walk walk) {
        List<EntryTest> moved = new ArrayList<>();
        List<EntryTest> wanted = wanted(walk);
        if (wanted == null) {
            Refused refused =
                    method.refused(Rule.R43, call, method.nameOf(call) + " may run code that the agent does not know");
            refusals.put(call, refused.refusal());
            return false;
        }
        for (EntryTest test : wanted) {
            List<Value> values = new ArrayList<>();
            for (Value value : test.values()) {
                Value here = isChanged(walk, value) ? null : moved(call, walk, value);
                if (here == null) {
                    Refused refused = method.refused(
                            Rule.R72,
                            call,
                            method.nameOf(call) + " calls itself, and is called for another object in each pass",
                            "keep the service in a field of one object");
                    refusals.put(call, refused.refusal());
                    return false;
                }
                values.add(here);
            }
            moved.add(new EntryTest(test.kind(), values, test.type()));
        }
        tests.addAll(moved);
        return true;
    }

    /** The tests of the method, and those that code sent ahead of all of it needs; null if something in it may not be crossed. */
    private static @Nullable List<EntryTest> wanted(Walks.Walk walk) {
        Method in = walk.method();
        BitSet crossed = (BitSet) in.whole().ops().clone();
        walk.selves().forEach(crossed::clear);
        ReorderingCheck nothing = ReorderingCheck.strict(in, in.whole(), new BitSet(), List.of(), List.of());
        try {
            List<EntryTest> wanted = new ArrayList<>(walk.strands().tests());
            wanted.addAll(nothing.check(crossed));
            boolean areKept =
                    wanted.stream().flatMap(test -> test.values().stream()).allMatch(value -> isKept(walk, value));
            return areKept ? wanted.stream().distinct().toList() : null;
        } catch (Refused e) {
            return null;
        }
    }

    private static boolean isKept(Walks.Walk walk, Value value) {
        List<Register> parameters = walk.method().graph().body().parameters();
        Set<Register> made = new LinkedHashSet<>();
        Set<Register> read = new LinkedHashSet<>(List.of(value.result()));
        for (Op op : value.ops()) {
            read.addAll(op.uses());
            made.add(op.def());
        }
        read.removeAll(made);
        return read.stream()
                .allMatch(register -> parameters.contains(register) && walk.keeps(parameters.indexOf(register)));
    }

    /** Whether the nest, or a walk in it, writes what a value of the method's entry is read from. */
    private boolean isChanged(Walks.Walk walk, Value value) {
        List<HeapRegion> reads = new ArrayList<>();
        value.ops().forEach(op -> walk.method().effects().of(op).reads().forEach(read -> reads.add(read.place())));
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            Walks.Walk other = calls.get(i);
            List<HeapRegion> writes = other == null ? shared(i) : writes(other);
            if (writes.stream().anyMatch(write -> reads.stream().anyMatch(write::meets))) {
                return true;
            }
        }
        return false;
    }

    /** A value of the method's entry as one of the entry of the nest; null if it is not known there. */
    private @Nullable Value moved(int call, Walks.Walk walk, Value value) {
        List<Register> parameters = walk.method().graph().body().parameters();
        Map<Register, Register> here = new HashMap<>();
        List<Op> ops = new ArrayList<>();
        Set<Register> read = new LinkedHashSet<>();
        value.ops().forEach(op -> read.addAll(op.uses()));
        read.add(value.result());
        for (Register register : read) {
            int parameter = parameters.indexOf(register);
            if (parameter >= 0) {
                Register given = method.op(call).uses().get(parameter);
                Value at = aliases.atEntry(call, given);
                if (at == null) {
                    return null;
                }
                ops.addAll(at.ops());
                here.put(register, at.result());
            }
        }
        for (Op op : value.ops()) {
            ops.add(op.copy(
                    use -> here.getOrDefault(use, use),
                    def -> here.computeIfAbsent(
                            def, each -> method.graph().body().fresh(each.kind())),
                    label -> label));
        }
        return new Value(ops, here.getOrDefault(value.result(), value.result()));
    }

    /** Refuses what is sent ahead of such a method that may change what the sent calls need. */
    void cross(ReorderingCheck check, List<Integer> sends) throws Refused {
        for (Map.Entry<Integer, Walks.Walk> call : calls.entrySet()) {
            Walks.Walk walk = call.getValue();
            for (int send : sends) {
                for (CallSetting setting : settings(walk)) {
                    CallSetting own = method.setting(send);
                    if (own != null && SendOrder.readsWhatChanges(own, setting)) {
                        throw method.refused(
                                Rule.R24,
                                call.getKey(),
                                method.nameOf(call.getKey()) + " makes calls that may not overlap "
                                        + method.nameOf(send));
                    }
                }
            }
            check.crossWalk(call.getKey(), writes(walk));
        }
    }

    /** Refuses to begin such a method ahead, if the nest may change what its strands need. */
    void check(int call) throws Refused {
        Walks.Walk walk = requireNonNull(calls.get(call), "call");
        List<HeapRegion> reads = reads(walk);
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            Walks.Walk other = calls.get(i);
            CallSetting setting = method.setting(i);
            boolean overlaps = settings(walk).stream()
                    .anyMatch(each -> setting != null && SendOrder.readsWhatChanges(each, setting)
                            || other != null
                                    && settings(other).stream()
                                            .anyMatch(theirs -> SendOrder.readsWhatChanges(each, theirs)));
            if (overlaps) {
                throw method.refused(
                        Rule.R24, i, method.nameOf(i) + " may not overlap calls of " + method.nameOf(call));
            }
            List<HeapRegion> writes = other == null ? shared(i) : writes(other);
            for (HeapRegion write : writes) {
                if (reads.stream().anyMatch(write::meets)) {
                    throw method.refused(
                            Rule.R33,
                            i,
                            "it changes " + write + ", which " + method.nameOf(call) + " may need as it was");
                }
            }
        }
    }

    /** The places that an op of the nest writes to, but those of objects that only the method knows. */
    private List<HeapRegion> shared(int index) {
        return shared(method, aliases, index);
    }

    private static List<HeapRegion> shared(Method in, Aliases known, int index) {
        List<HeapRegion> places = new ArrayList<>();
        for (Access write : in.effects().of(in.op(index)).writes()) {
            Register base = write.base();
            if (base == null || known.ownObject(index, base) < 0) {
                places.add(write.place());
            }
        }
        return places;
    }

    private static List<HeapRegion> writes(Walks.Walk walk) {
        Method in = walk.method();
        Aliases known = new Aliases(in, in.whole());
        List<HeapRegion> places = new ArrayList<>();
        for (int i = 0; i < in.graph().size(); i++) {
            if (!walk.selves().contains(i)) {
                places.addAll(shared(in, known, i));
            }
        }
        return places;
    }

    private static List<HeapRegion> reads(Walks.Walk walk) {
        Method in = walk.method();
        List<HeapRegion> places = new ArrayList<>();
        for (StrandPlan.Strand strand : walk.strands().strands()) {
            SendSlice slice = strand.slice();
            List<Integer> remote =
                    slice.sends().stream().filter(in::isCandidate).toList();
            places.addAll(ReorderingCheck.strict(in, in.whole(), slice.executed(), remote, slice.iterators())
                    .shared());
        }
        for (EntryTest test : walk.strands().tests()) {
            for (Value value : test.values()) {
                value.ops().forEach(op -> in.effects().of(op).reads().forEach(read -> places.add(read.place())));
            }
        }
        return places;
    }

    private static List<CallSetting> settings(Walks.Walk walk) {
        List<CallSetting> settings = new ArrayList<>();
        for (int i = 0; i < walk.method().graph().size(); i++) {
            CallSetting setting = walk.method().setting(i);
            if (setting != null) {
                settings.add(setting);
            }
        }
        return settings;
    }

    /** The ops of the nest without these calls. */
    BitSet others() {
        BitSet others = (BitSet) region.ops().clone();
        calls.keySet().forEach(others::clear);
        return others;
    }
}
