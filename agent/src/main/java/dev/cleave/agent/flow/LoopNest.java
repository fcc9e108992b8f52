package dev.cleave.agent.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The natural loops of a graph and how they nest.
 *
 * <p>A back edge is a normal edge to a block that dominates its source; edges that only exceptions take make no loop.
 * Loops with the same header are one.
 */
public final class LoopNest {

    private final List<Loop> loops;
    private final boolean reducible;

    private LoopNest(List<Loop> loops, boolean reducible) {
        this.loops = Collections.unmodifiableList(loops);
        this.reducible = reducible;
    }

    /** Finds the loops of a graph. */
    public static LoopNest of(ControlFlowGraph graph, Dominators dominators) {
        Map<BasicBlock, Loop> byHeader = new LinkedHashMap<>();
        List<BasicBlock> order = graph.reversePostOrder();
        for (BasicBlock block : order) {
            for (BasicBlock to : block.successors()) {
                if (dominators.dominates(to, block)) {
                    Loop loop = byHeader.computeIfAbsent(to, Loop::new);
                    loop.latch(block);
                    fill(loop, block);
                }
            }
        }
        List<Loop> loops = new ArrayList<>(byHeader.values());
        loops.sort(Comparator.comparingInt((Loop loop) -> loop.blocks().size())
                .thenComparing(loop -> loop.header().number()));
        for (int i = 0; i < loops.size(); i++) {
            for (int j = i + 1; j < loops.size(); j++) {
                if (loops.get(j).contains(loops.get(i).header())) {
                    loops.get(i).within(loops.get(j));
                    break;
                }
            }
        }
        return new LoopNest(loops, reducible(graph, dominators, order));
    }

    /** All loops, inner ones before the loops around them. */
    public List<Loop> loops() {
        return loops;
    }

    /** The innermost loop that holds a block, or null. */
    public @Nullable Loop innermost(BasicBlock block) {
        for (Loop loop : loops) {
            if (loop.contains(block)) {
                return loop;
            }
        }
        return null;
    }

    /** Whether every cycle of normal edges is a natural loop. */
    public boolean reducible() {
        return reducible;
    }

    private static void fill(Loop loop, BasicBlock latch) {
        Deque<BasicBlock> todo = new ArrayDeque<>();
        if (loop.add(latch)) {
            todo.push(latch);
        }
        while (!todo.isEmpty()) {
            for (BasicBlock from : todo.pop().allPredecessors()) {
                if (loop.add(from)) {
                    todo.push(from);
                }
            }
        }
    }

    /** Without its back edges a reducible graph has no cycle, so each remaining edge goes forward in some order. */
    private static boolean reducible(ControlFlowGraph graph, Dominators dominators, List<BasicBlock> order) {
        int[] open = new int[graph.blocks().size()];
        for (BasicBlock block : order) {
            for (BasicBlock to : block.successors()) {
                if (!dominators.dominates(to, block)) {
                    open[to.number()]++;
                }
            }
        }
        Deque<BasicBlock> ready = new ArrayDeque<>();
        order.stream().filter(block -> open[block.number()] == 0).forEach(ready::add);
        int done = 0;
        while (!ready.isEmpty()) {
            BasicBlock block = ready.remove();
            done++;
            for (BasicBlock to : block.successors()) {
                if (!dominators.dominates(to, block) && --open[to.number()] == 0) {
                    ready.add(to);
                }
            }
        }
        return done == order.size();
    }
}
