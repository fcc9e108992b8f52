package dev.cleave.agent.dataflow;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which definitions of a register an op may see, in a whole method or within a region of it.
 *
 * <p>What a register holds where the region is entered (parameters, for a method) counts as one more definition of it,
 * the <i>entry</i> one. An op that throws has not yet written its own definition.
 */
public final class ReachingDefinitions {

    private final ControlFlowGraph graph;
    private final Set<BasicBlock> region;
    private final @Nullable BasicBlock noEntryTo;
    private final List<Op> definitions = new ArrayList<>();
    private final Map<Op, Integer> numberOf = new IdentityHashMap<>();
    private final Map<Register, BitSet> ofRegister = new HashMap<>();
    private final Map<BasicBlock, BitSet> in = new HashMap<>();
    private final int registers;

    private ReachingDefinitions(ControlFlowGraph graph, Collection<BasicBlock> region, @Nullable BasicBlock noEntryTo) {
        this.graph = graph;
        this.region = new HashSet<>(region);
        this.noEntryTo = noEntryTo;
        this.registers = graph.body().registers().size();
        for (Register register : graph.body().registers()) {
            ofRegister.computeIfAbsent(register, r -> new BitSet()).set(register.number());
        }
        for (BasicBlock block : graph.blocks()) {
            if (this.region.contains(block)) {
                block.ops().forEach(this::number);
                in.put(block, new BitSet());
            }
        }
    }

    /** The definitions of a whole method. */
    public static ReachingDefinitions ofMethod(ControlFlowGraph graph) {
        ReachingDefinitions reaching = new ReachingDefinitions(graph, graph.blocks(), null);
        reaching.solve(List.of(graph.entry()));
        return reaching;
    }

    /** The definitions within a region, seen around its own cycles too; entered at {@code entry}. */
    public static ReachingDefinitions ofRegion(
            ControlFlowGraph graph, Collection<BasicBlock> region, BasicBlock entry) {
        ReachingDefinitions reaching = new ReachingDefinitions(graph, region, null);
        reaching.solve(List.of(entry));
        return reaching;
    }

    /**
     * The definitions within one pass through a region: edges back to {@code header} are cut, so what an earlier
     * iteration defined counts as the entry definition.
     */
    public static ReachingDefinitions ofIteration(
            ControlFlowGraph graph, Collection<BasicBlock> region, BasicBlock header) {
        ReachingDefinitions reaching = new ReachingDefinitions(graph, region, header);
        reaching.solve(List.of(header));
        return reaching;
    }

    /** The ops whose definition of a register may be what an op finds right before it runs. */
    public Set<Op> reaching(Op op, Register register) {
        BitSet found = before(op, register);
        Set<Op> ops = new LinkedHashSet<>();
        for (int i = found.nextSetBit(registers); i >= 0; i = found.nextSetBit(i + 1)) {
            ops.add(definitions.get(i - registers));
        }
        return ops;
    }

    /** Every op of the region that defines a register. */
    public List<Op> definitionsOf(Register register) {
        return definitions.stream().filter(op -> op.def() == register).toList();
    }

    private BitSet before(Op op, Register register) {
        BasicBlock block = graph.blockOf(op);
        BitSet state = in.get(block);
        if (state == null) {
            throw new IllegalArgumentException("op: " + op + " (expected: one of the region)");
        }
        state = (BitSet) state.clone();
        for (Op at : block.ops()) {
            if (at == op) {
                break;
            }
            apply(at, state);
        }
        BitSet own = ofRegister.get(register);
        if (own == null) {
            return new BitSet(); // a register that was made after this analysis
        }
        state.and(own);
        return state;
    }

    private void number(Op op) {
        Register def = op.def();
        if (def != null) {
            int number = registers + definitions.size();
            numberOf.put(op, number);
            definitions.add(op);
            ofRegister.computeIfAbsent(def, r -> new BitSet()).set(number);
        }
    }

    private void apply(Op op, BitSet state) {
        Register def = op.def();
        Integer number = numberOf.get(op);
        if (def != null && number != null) {
            state.andNot(ofRegister.getOrDefault(def, new BitSet()));
            state.set(number);
        }
    }

    private void solve(List<BasicBlock> entries) {
        for (BasicBlock entry : entries) {
            in.computeIfAbsent(entry, e -> new BitSet()).set(0, registers);
        }
        for (boolean changed = true; changed; ) {
            changed = false;
            for (BasicBlock block : graph.blocks()) {
                if (region.contains(block)) {
                    changed |= flow(block);
                }
            }
        }
    }

    private boolean flow(BasicBlock block) {
        boolean changed = false;
        BitSet state = (BitSet) in.getOrDefault(block, new BitSet()).clone();
        BitSet thrown = new BitSet();
        for (Op op : block.ops()) {
            if (op.mayThrow()) {
                thrown.or(state);
            }
            apply(op, state);
        }
        for (BasicBlock successor : block.successors()) {
            if (successor != noEntryTo) {
                changed |= join(successor, state);
            }
        }
        for (BasicBlock handler : block.handlers()) {
            changed |= join(handler, thrown);
        }
        return changed;
    }

    private boolean join(BasicBlock block, BitSet state) {
        BitSet known = in.get(block);
        if (known == null) {
            return false; // outside the region
        }
        int before = known.cardinality();
        known.or(state);
        return known.cardinality() != before;
    }
}
