package dev.cleave.agent.dataflow;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ops that may have written a JVM local last before an op: its reaching definitions. A handler sees what was there before the ops that
 * it covers, and what each of them wrote.
 */
public final class ReachingWrites {

    private final ControlFlowGraph graph;
    private final Register local;
    private final List<Op> writes = new ArrayList<>();
    private final Map<Op, Integer> numbers = new HashMap<>();
    private final BitSet[] in;

    /**
     * The value of the local, as an op finds it.
     *
     * @param ops one of which has written it, or a local that overlaps it
     * @param isGiven whether it may still hold what it held when the method began
     */
    public record Found(List<Op> ops, boolean isGiven) {

        /** Copies the ops. */
        public Found {
            ops = List.copyOf(ops);
        }
    }

    private ReachingWrites(ControlFlowGraph graph, Register local) {
        this.graph = graph;
        this.local = local;
        this.in = new BitSet[graph.blocks().size()];
    }

    /** Looks for the writes to one local. */
    public static ReachingWrites of(ControlFlowGraph graph, Register local) {
        ReachingWrites found = new ReachingWrites(graph, local);
        for (BasicBlock block : graph.blocks()) {
            found.in[block.number()] = new BitSet();
            for (Op op : block.ops()) {
                if (op.def() != null && op.def().overlaps(local)) {
                    found.numbers.put(op, found.writes.size());
                    found.writes.add(op);
                }
            }
        }
        found.in[graph.entry().number()].set(found.writes.size()); // what the method began with
        List<BasicBlock> order = graph.reversePostOrder();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (BasicBlock block : order) {
                changed |= found.flow(block);
            }
        }
        return found;
    }

    private boolean flow(BasicBlock block) {
        BitSet last = (BitSet) in[block.number()].clone();
        BitSet any = (BitSet) last.clone();
        for (Op op : block.ops()) {
            Integer number = numbers.get(op);
            if (number != null) {
                last.clear();
                last.set(number);
                any.set(number);
            }
        }
        boolean changed = false;
        for (BasicBlock next : block.successors()) {
            changed |= add(next, last);
        }
        for (BasicBlock handler : block.handlers()) {
            changed |= add(handler, any);
        }
        return changed;
    }

    private boolean add(BasicBlock block, BitSet found) {
        int before = in[block.number()].cardinality();
        in[block.number()].or(found);
        return in[block.number()].cardinality() > before;
    }

    /** The writes that may be the last before an op. */
    public Found before(Op op) {
        BasicBlock block = graph.blockOf(op);
        BitSet last = (BitSet) in[block.number()].clone();
        for (Op each : block.ops()) {
            if (each == op) {
                break;
            }
            Integer number = numbers.get(each);
            if (number != null) {
                last.clear();
                last.set(number);
            }
        }
        List<Op> ops = new ArrayList<>();
        last.stream().filter(number -> number < writes.size()).forEach(number -> ops.add(writes.get(number)));
        return new Found(ops, last.get(writes.size()));
    }

    /** {@code writes of l3A}. */
    @Override
    public String toString() {
        return "writes of " + local;
    }
}
