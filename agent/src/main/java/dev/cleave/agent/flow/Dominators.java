package dev.cleave.agent.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes which blocks dominate which: every path from the entry passes them, exceptional edges included.
 *
 * <p>Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
 */
public final class Dominators {

    private final ControlFlowGraph graph;
    private final @Nullable BasicBlock[] immediate;

    private Dominators(ControlFlowGraph graph, @Nullable BasicBlock[] immediate) {
        this.graph = graph;
        this.immediate = immediate;
    }

    /** The dominators of a graph. */
    public static Dominators of(ControlFlowGraph graph) {
        List<BasicBlock> order = graph.reversePostOrder();
        int[] position = new int[graph.blocks().size()];
        for (int i = 0; i < order.size(); i++) {
            position[order.get(i).number()] = i;
        }
        @Nullable
        BasicBlock[] immediate = new @Nullable BasicBlock[graph.blocks().size()];
        BasicBlock entry = graph.entry();
        immediate[entry.number()] = entry;
        for (boolean changed = true; changed; ) {
            changed = false;
            for (BasicBlock block : order.subList(1, order.size())) {
                BasicBlock found = null;
                for (BasicBlock from : block.allPredecessors()) {
                    if (immediate[from.number()] != null) {
                        found = found == null ? from : meet(immediate, position, from, found);
                    }
                }
                if (found != null && immediate[block.number()] != found) {
                    immediate[block.number()] = found;
                    changed = true;
                }
            }
        }
        return new Dominators(graph, immediate);
    }

    /** Whether every path from the entry to {@code below} passes {@code above}; a block dominates itself. */
    public boolean dominates(BasicBlock above, BasicBlock below) {
        BasicBlock entry = graph.entry();
        for (BasicBlock at = below; ; ) {
            if (at == above) {
                return true;
            }
            BasicBlock up = immediate[at.number()];
            if (at == entry || up == null) {
                return false;
            }
            at = up;
        }
    }

    /** The nearest other block that dominates this one; null for the entry and for unreachable blocks. */
    public @Nullable BasicBlock immediate(BasicBlock block) {
        return block == graph.entry() ? null : immediate[block.number()];
    }

    private static BasicBlock meet(@Nullable BasicBlock[] immediate, int[] position, BasicBlock one, BasicBlock other) {
        BasicBlock a = one;
        BasicBlock b = other;
        while (a != b) {
            if (position[a.number()] > position[b.number()]) {
                a = up(immediate, a);
            } else {
                b = up(immediate, b);
            }
        }
        return a;
    }

    private static BasicBlock up(@Nullable BasicBlock[] immediate, BasicBlock block) {
        BasicBlock up = immediate[block.number()];
        if (up == null) {
            throw new IllegalStateException(block + " has no dominator yet");
        }
        return up;
    }
}
