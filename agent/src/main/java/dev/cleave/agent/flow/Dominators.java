package dev.cleave.agent.flow;

import dev.cleave.agent.ir.Op;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks every path from the entry passes, exceptional edges included.
 *
 * <p>Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
 */
public final class Dominators {

    private final ControlFlowGraph graph;
    private final @Nullable Block[] immediate;

    private Dominators(ControlFlowGraph graph, @Nullable Block[] immediate) {
        this.graph = graph;
        this.immediate = immediate;
    }

    /** The dominators of a graph. */
    public static Dominators of(ControlFlowGraph graph) {
        List<Block> order = graph.reversePostOrder();
        int[] position = new int[graph.blocks().size()];
        for (int i = 0; i < order.size(); i++) {
            position[order.get(i).number()] = i;
        }
        @Nullable Block[] immediate = new @Nullable Block[graph.blocks().size()];
        Block entry = graph.entry();
        immediate[entry.number()] = entry;
        for (boolean changed = true; changed; ) {
            changed = false;
            for (Block block : order.subList(1, order.size())) {
                Block found = null;
                for (Block from : block.allPredecessors()) {
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
    public boolean dominates(Block above, Block below) {
        Block entry = graph.entry();
        for (Block at = below; ; ) {
            if (at == above) {
                return true;
            }
            Block up = immediate[at.number()];
            if (at == entry || up == null) {
                return false;
            }
            at = up;
        }
    }

    /** Whether every path from the entry to {@code below} passes {@code above} first; an op dominates itself. */
    public boolean dominates(Op above, Op below) {
        Block upper = graph.blockOf(above);
        Block lower = graph.blockOf(below);
        return upper == lower ? graph.body().indexOf(above) <= graph.body().indexOf(below) : dominates(upper, lower);
    }

    /** The nearest other block that dominates this one; null for the entry and for what cannot be reached. */
    public @Nullable Block immediate(Block block) {
        return block == graph.entry() ? null : immediate[block.number()];
    }

    private static Block meet(@Nullable Block[] immediate, int[] position, Block one, Block other) {
        Block a = one;
        Block b = other;
        while (a != b) {
            if (position[a.number()] > position[b.number()]) {
                a = up(immediate, a);
            } else {
                b = up(immediate, b);
            }
        }
        return a;
    }

    private static Block up(@Nullable Block[] immediate, Block block) {
        Block up = immediate[block.number()];
        if (up == null) {
            throw new IllegalStateException(block + " has no dominator yet");
        }
        return up;
    }
}
