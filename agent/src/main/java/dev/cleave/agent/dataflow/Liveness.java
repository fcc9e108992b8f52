package dev.cleave.agent.dataflow;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Computes which registers may be read later, before they are written again. Registers that a handler reads are live at
 * every op that may throw to it.
 */
public final class Liveness {

    private final BitSet[] in;

    private Liveness(ControlFlowGraph graph) {
        in = new BitSet[graph.blocks().size()];
        for (int i = 0; i < in.length; i++) {
            in[i] = new BitSet();
        }
    }

    /** The liveness of every register of a body. */
    public static Liveness of(ControlFlowGraph graph) {
        Liveness liveness = new Liveness(graph);
        List<BasicBlock> order = new ArrayList<>(graph.reversePostOrder());
        Collections.reverse(order);
        for (boolean changed = true; changed; ) {
            changed = false;
            for (BasicBlock block : order) {
                BitSet live = liveness.out(block);
                List<Op> ops = block.ops();
                for (int i = ops.size() - 1; i >= 0; i--) {
                    liveness.step(block, ops.get(i), live);
                }
                if (!live.equals(liveness.in[block.number()])) {
                    liveness.in[block.number()] = live;
                    changed = true;
                }
            }
        }
        return liveness;
    }

    /** The numbers of the registers that are live at the beginning of a block. */
    public BitSet liveIn(BasicBlock block) {
        return (BitSet) in[block.number()].clone();
    }

    /**
     * The numbers of the registers that some handler of the block reads: the handler sees their values when an op
     * throws.
     */
    public BitSet liveInHandlers(BasicBlock block) {
        BitSet live = new BitSet();
        for (BasicBlock handler : block.handlers()) {
            live.or(in[handler.number()]);
        }
        return live;
    }

    private BitSet out(BasicBlock block) {
        BitSet live = new BitSet();
        for (BasicBlock successor : block.successors()) {
            live.or(in[successor.number()]);
        }
        return live;
    }

    private void step(BasicBlock block, Op op, BitSet live) {
        Register def = op.def();
        if (def != null) {
            live.clear(def.number());
        }
        if (op.mayThrow()) {
            live.or(liveInHandlers(block));
        }
        for (Register use : op.uses()) {
            live.set(use.number());
        }
    }
}
