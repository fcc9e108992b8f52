package dev.cleave.agent.plan.method;

import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.OpGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** Finds the registers of its own that a copy of a slice carries from one step to the next (R32). */
public final class Carried {

    private final SendSlice slice;
    private final IntFunction<List<Register>> operands;
    private final BitSet[] needed;

    /** Computes the registers for all places of a slice's region. */
    public Carried(SendSlice slice) {
        this(slice, index -> slice.region().graph().op(index).uses());
    }

    /**
     * Computes them for a slice that leaves out operands of some calls.
     *
     * @param operands the registers that the copy of an op reads
     */
    public Carried(SendSlice slice, IntFunction<List<Register>> operands) {
        this.slice = slice;
        this.operands = operands;
        OpGraph graph = slice.region().graph();
        needed = new BitSet[graph.size()];
        BitSet ops = slice.region().ordinary();
        ops.stream().forEach(op -> needed[op] = new BitSet());
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = ops.length() - 1; i >= 0; i = i == 0 ? -1 : ops.previousSetBit(i - 1)) {
                BitSet before = before(i, graph);
                if (!before.equals(needed[i])) {
                    needed[i] = before;
                    changed = true;
                }
            }
        }
    }

    /** The registers of the slice's own whose values at an op are read there or later. */
    public List<Register> at(int index) {
        List<Register> registers = new ArrayList<>();
        Set<Register> iterators = new LinkedHashSet<>();
        slice.iterators().forEach(own -> iterators.add(own.iterator()));
        for (Register register : slice.banked()) {
            boolean isFixed = iterators.contains(register) && !slice.region().writes(register);
            if (needed[index].get(register.number()) && !isFixed) {
                registers.add(register);
            }
        }
        return registers;
    }

    private BitSet before(int index, OpGraph graph) {
        BitSet set = new BitSet();
        BitSet thrown = new BitSet();
        for (int successor : graph.next(index)) {
            if (slice.region().ordinary().get(successor)) {
                (graph.isThrown(index, successor) ? thrown : set).or(needed[successor]);
            }
        }
        boolean isSend = slice.sends().contains(index);
        boolean isLook = slice.looks().get(index);
        if (isSend || isLook || slice.executed().get(index)) {
            Op op = graph.op(index);
            Register def = op.def();
            if (def != null && (!isSend || isLook)) {
                set.clear(def.number());
            }
            if (!isLook || isSend) {
                operands.apply(index).forEach(use -> set.set(use.number()));
            }
        }
        set.or(thrown);
        return set;
    }
}
