package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.placement.StrandHelper;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/** Gives the calls of a nest their rows, and finds the places of the method itself that belong to a plan. */
final class StrandRows {

    private static final int MOST_ROWS = 256;

    private final Method method;
    private final Region region;
    private final Method real;
    private final Region loop;
    private final @Nullable FlatMethod flat;
    private final Map<AbstractInsnNode, Integer> first = new HashMap<>(); // of calls in the loop itself
    private final Map<Integer, Integer> claims = new LinkedHashMap<>();
    private final Map<Integer, StrandPlan.Hand> hands = new LinkedHashMap<>();
    private final Map<Integer, StrandPlan.Mapping> mappings = new LinkedHashMap<>();
    private final Map<Integer, Integer> entries = new LinkedHashMap<>();
    private final @Nullable WalkCalls walks;
    private int rows;

    /**
     * Prepares it.
     *
     * @param walks the calls of methods that call themselves which strands may begin, null if they begin none
     */
    StrandRows(
            Method method,
            Region region,
            Method real,
            Region loop,
            @Nullable FlatMethod flat,
            @Nullable WalkCalls walks) {
        this.walks = walks;
        this.method = method;
        this.region = region;
        this.real = real;
        this.loop = loop;
        this.flat = flat;
    }

    /**
     * The plan with these strands.
     *
     * @param queue the queue between two of them, null if there is none
     * @param guide what makes them for each pass, null if they go from pass to pass
     * @param classes tests of the objects whose methods of other classes stand in the planned code
     */
    StrandPlan plan(
            List<StrandPlan.Strand> strands,
            StrandPlan.@Nullable Queue queue,
            StrandPlan.@Nullable Guide guide,
            List<EntryTest> classes)
            throws Refused {
        number();
        Map<Integer, StrandPlan.Call> calls = new LinkedHashMap<>();
        Map<Integer, Integer> iterators = new LinkedHashMap<>();
        Map<Integer, Integer> begun = new LinkedHashMap<>();
        for (StrandPlan.Strand strand : strands) {
            for (int send : strand.slice().sends()) {
                if (walks != null && walks.places().contains(send)) {
                    begun.put(send, row(send));
                } else {
                    calls.put(send, call(send));
                }
            }
            addIterators(strand, iterators);
        }
        if (guide != null) {
            addIterators(guide.strand(), iterators);
        }
        StrandPlan plan = new StrandPlan(
                region,
                strands,
                queue,
                guide,
                null,
                calls,
                walks == null ? Map.of() : walks.begun(begun),
                rows,
                loop,
                claims,
                hands,
                entries,
                mappings,
                keys(calls),
                iterators,
                classes,
                flat == null ? Map.of() : flat.elsewhere());
        if (flat != null) {
            checkNames(plan);
        }
        return plan;
    }

    /** The places of the method itself that ask maps for keys, by its own calls that are sent for such keys. */
    private Map<Integer, Integer> keys(Map<Integer, StrandPlan.Call> calls) throws Refused {
        Map<Integer, Integer> keys = new LinkedHashMap<>();
        for (Map.Entry<Integer, StrandPlan.Call> call : calls.entrySet()) {
            MapCalls.Code code = call.getValue().isKeyed() ? flat().mapping(insn(call.getKey())) : null;
            FlatMethod.Origin origin = code == null ? null : flat().origin(insn(call.getKey()));
            boolean isOwn = origin != null && origin.path().isEmpty();
            if (code != null && isOwn && code.all().isEmpty()) {
                keys.put(realIndex(call.getKey()), realIndex(indexOf(code.get())));
            }
        }
        return keys;
    }

    private FlatMethod flat() {
        return requireNonNull(flat, "flat");
    }

    private AbstractInsnNode insn(int index) {
        return ((InsnOp) method.op(index)).insn();
    }

    private int indexOf(AbstractInsnNode insn) {
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (method.op(i) instanceof InsnOp op && op.insn() == insn) {
                return i;
            }
        }
        throw new IllegalStateException("instruction: " + insn + " (expected: one of the region)");
    }

    private void addIterators(StrandPlan.Strand strand, Map<Integer, Integer> iterators) throws Refused {
        for (OwnIterator own : strand.slice().iterators()) {
            if (!region.ops().get(own.made())) {
                iterators.put(own.made(), realIndex(own.made()));
            }
        }
    }

    private void number() throws Refused {
        for (int i = loop.ops().nextSetBit(0); i >= 0; i = loop.ops().nextSetBit(i + 1)) {
            if (!(real.op(i) instanceof InsnOp op) || op.method() == null) {
                continue;
            }
            StrandHelper helper = flat == null ? null : flat.rows().helper(op.method());
            MapCalls.Mapping mapping = MapCalls.of(op.method(), real.helpers());
            if (helper != null) {
                first.put(op.insn(), rows);
                if (helper.rows() > 0) {
                    hands.put(i, new StrandPlan.Hand(helper, rows));
                }
                rows += helper.rows();
            } else if (walks != null && isWalk(op)) {
                first.put(op.insn(), rows);
                entries.put(i, rows++);
            } else if (flat != null && mapping != null) {
                first.put(op.insn(), rows);
                mappings.put(i, new StrandPlan.Mapping(rows++, mapping.filling()));
            } else if (real.effects().settingOf(op) != null) {
                first.put(op.insn(), rows);
                claims.put(i, rows++);
            }
        }
        if (rows > MOST_ROWS) {
            throw method.refused(Rule.R71, region.entry(), "the nest has too many calls", "split the method");
        }
    }

    private boolean isWalk(InsnOp op) {
        return Walks.of(real.helpers()).of(requireNonNull(op.method(), "method")) != null;
    }

    private int row(int index) {
        AbstractInsnNode insn = insn(index);
        FlatMethod.Origin origin = flat == null ? null : flat.origin(insn);
        if (flat == null || origin == null) {
            return firstOf(insn);
        }
        return origin.path().isEmpty()
                ? firstOf(origin.insn())
                : flat.rows().of(origin, firstOf(origin.path().get(0)));
    }

    private StrandPlan.Call call(int index) {
        CallSetting setting = method.setting(index);
        int window = setting == null ? 1 : setting.window();
        String name = method.nameOf(index);
        AbstractInsnNode insn = ((InsnOp) method.op(index)).insn();
        FlatMethod.Origin origin = flat == null ? null : flat.origin(insn);
        if (flat == null || origin == null) {
            return new StrandPlan.Call(
                    firstOf(insn),
                    name,
                    window,
                    real.graph().body().owner(),
                    real.graph().body().original().name,
                    method.line(index),
                    false,
                    false);
        }
        boolean isKeyed = flat.mapping(insn) != null;
        String in = origin.elsewhere() == null ? real.graph().body().owner() : origin.elsewhere();
        String place = ReferenceCode.placeOf(origin.method().name);
        return new StrandPlan.Call(
                row(index),
                name,
                window,
                in,
                place,
                origin.line(),
                isKeyed,
                flat.copies().hold(insn));
    }

    private int firstOf(AbstractInsnNode insn) {
        return requireNonNull(first.get(insn), "row");
    }

    /** The place of an op of the method itself. */
    private int realIndex(int index) throws Refused {
        if (flat == null) {
            return index;
        }
        FlatMethod.Origin origin = method.op(index) instanceof InsnOp op ? flat.origin(op.insn()) : null;
        for (int i = 0;
                origin != null && origin.path().isEmpty() && i < real.graph().size();
                i++) {
            if (real.op(i) instanceof InsnOp op && op.insn() == origin.insn()) {
                return i;
            }
        }
        throw method.refused(Rule.R71, index, "it needs something that a helper makes", "make it in the method itself");
    }

    /** Refuses a strand that reads at the entry a register that is no variable: variables alone keep their slots. */
    private void checkNames(StrandPlan plan) throws Refused {
        Set<Register> read = new HashSet<>();
        for (StrandPlan.Strand strand : plan.all()) {
            read.addAll(strand.fixed().keySet());
            strand.slice().iterators().forEach(own -> read.remove(own.iterator()));
            read.addAll(strand.slice().copiedIn());
        }
        if (plan.guide() != null) {
            SendSlice guide = plan.guide().strand().slice();
            guide.banked().stream()
                    .filter(register -> !guide.copiedIn().contains(register))
                    .forEach(read::remove);
        }
        for (EntryTest test : plan.tests()) {
            for (Value value : test.values()) {
                Set<Register> own = new HashSet<>();
                for (Op op : value.ops()) {
                    op.uses().stream().filter(use -> !own.contains(use)).forEach(read::add);
                    own.add(op.def());
                }
                if (!own.contains(value.result())) {
                    read.add(value.result());
                }
            }
        }
        int slots = real.graph().body().original().maxLocals;
        for (Register register : read) {
            if (!register.isLocal() || register.position() >= slots) {
                throw method.refused(
                        Rule.R71, region.entry(), "it needs a value that is in no variable", "give it a variable");
            }
        }
    }
}
