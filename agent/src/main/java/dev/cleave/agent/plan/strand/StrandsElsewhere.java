package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** What a nest calls of other classes, and the maps that it fills (R71). */
final class StrandsElsewhere implements StrandRegisters.Outside {

    private final Method method;
    private final Region region;
    private final @Nullable FlatMethod flat;
    private final StrandMaps maps;

    /**
     * Looks at a nest.
     *
     * @param flat where instructions of the code come from, null if it is the method itself
     */
    StrandsElsewhere(Method method, Region region, @Nullable FlatMethod flat) {
        this.method = method;
        this.region = region;
        this.flat = flat;
        this.maps = new StrandMaps(method, region, flat == null ? Map.of() : flat.mappings());
    }

    @Override
    public boolean mayBeElsewhere(AbstractInsnNode insn) {
        return flat != null && flat.isElsewhere(insn);
    }

    /** Whether code of other classes, or that of maps, stands in the nest. */
    boolean areThere() {
        return flat != null && (!receivers().isEmpty() || !statics().isEmpty() || fillMaps());
    }

    /** Whether the nest puts results of calls into maps. */
    boolean fillMaps() {
        return flat != null && region.ops().stream().anyMatch(this::fillsMap);
    }

    /** Returns the maps that the nest asks for keys. */
    StrandMaps maps() {
        return maps;
    }

    /** Whether the program puts the result of a call into a map. */
    boolean fillsMap(int call) {
        return flat != null && method.op(call) instanceof InsnOp op && flat.mapping(op.insn()) != null;
    }

    /** Whether a call stays with the program, as the other class that makes it would not take it; notes why. */
    boolean stays(int call, Map<Integer, Refusal> refusals) {
        boolean stays = flat != null
                && method.op(call) instanceof InsnOp op
                && flat.rows().stays(flat.origin(op.insn()));
        if (stays) {
            String reason = "strands leave " + method.nameOf(call) + " to the method of the other class that calls it";
            refusals.put(
                    call,
                    method.refused(Rule.R71, call, reason, "call it in the nest")
                            .refusal());
        }
        return stays;
    }

    /** The ops of the nest that take objects which code of another class is written for, and these classes. */
    private Map<Integer, String> receivers() {
        Map<Integer, String> found = new LinkedHashMap<>();
        for (int i = region.ops().nextSetBit(0);
                i >= 0 && flat != null;
                i = region.ops().nextSetBit(i + 1)) {
            String exact = method.op(i) instanceof InsnOp op ? flat.receivers().get(op.insn()) : null;
            if (exact != null) {
                found.put(i, exact);
            }
        }
        return found;
    }

    /** The static methods of other classes whose code stands in the nest. */
    private Set<FlatRows.Entered> statics() {
        Set<List<MethodInsnNode>> seen = new HashSet<>();
        Set<FlatRows.Entered> found = new LinkedHashSet<>();
        for (int i = region.ops().nextSetBit(0);
                i >= 0 && flat != null;
                i = region.ops().nextSetBit(i + 1)) {
            FlatMethod.Origin origin = method.op(i) instanceof InsnOp op ? flat.origin(op.insn()) : null;
            if (origin != null && origin.elsewhere() != null && seen.add(origin.path())) {
                found.addAll(flat.rows().statics(flat, origin));
            }
        }
        return found;
    }

    /** Tests that these objects are of their classes, wherever the program has them from, and these classes are there. */
    List<EntryTest> tests() throws Refused {
        List<EntryTest> tests = new ArrayList<>();
        for (Map.Entry<Integer, String> receiver : receivers().entrySet()) {
            Value object = object(receiver.getKey(), receiver.getValue());
            tests.add(new EntryTest(EntryTest.Kind.CLASS_NAMED, List.of(object), receiver.getValue()));
        }
        for (FlatRows.Entered entered : statics()) {
            tests.add(new EntryTest(EntryTest.Kind.CLASS_OPEN, List.of(), entered.type(), entered.contract()));
        }
        return tests;
    }

    private Value object(int taken, String type) throws Refused {
        Value object = new Aliases(method, region)
                .atEntry(taken, method.op(taken).uses().get(0));
        if (object == null) {
            throw method.refused(
                    Rule.R71,
                    taken,
                    "the object of " + type.replace('/', '.') + " is another one in each pass",
                    "take it before the loop");
        }
        return object;
    }

    @Override
    public Set<Integer> held(SendSlice slice) {
        return maps.held(slice);
    }

    @Override
    public List<StrandPlan.Door> doors(SendSlice slice) throws Refused {
        List<StrandPlan.Door> doors = new ArrayList<>();
        for (int send : slice.sends()) {
            FlatMethod.Origin origin =
                    flat != null && method.op(send) instanceof InsnOp op ? flat.origin(op.insn()) : null;
            if (flat == null || origin == null || origin.elsewhere() == null) {
                continue;
            }
            for (FlatRows.Entered entered : flat.rows().entered(flat, origin)) {
                for (int i = region.ops().nextSetBit(0);
                        i >= 0;
                        i = region.ops().nextSetBit(i + 1)) {
                    if (method.op(i) instanceof InsnOp op && op.insn() == entered.taken()) {
                        Value object = object(i, entered.type());
                        doors.add(new StrandPlan.Door(object, entered.type(), entered.contract()));
                    }
                }
            }
        }
        return doors;
    }
}
