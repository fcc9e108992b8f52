package dev.cleave.agent.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which branches decide whether a block runs, on normal edges; of a whole method, or of one iteration of a loop.
 *
 * <p>In an iteration the edges back to the header lead to one virtual end, LATCH, and the edges out of the loop to one
 * virtual end for each target, so a branch also decides whether the loop goes on and where it is left. Returns and
 * throws lead to a virtual end of their own. Ferrante, Ottenstein, Warren: The Program Dependence Graph (1987).
 */
public final class ControlDependence {

    private final List<BasicBlock> blocks;
    private final Map<BasicBlock, Integer> position = new HashMap<>();
    private final Map<BasicBlock, Set<BasicBlock>> deciders = new HashMap<>();
    private final Set<BasicBlock> latchDeciders = new LinkedHashSet<>();
    private final Map<BasicBlock, Set<BasicBlock>> exitDeciders = new HashMap<>();
    private final List<BitSet> after = new ArrayList<>();

    private ControlDependence(Collection<BasicBlock> region) {
        blocks = List.copyOf(region);
        for (int i = 0; i < blocks.size(); i++) {
            position.put(blocks.get(i), i);
            deciders.put(blocks.get(i), new LinkedHashSet<>());
        }
    }

    /** The control dependence of a whole method. */
    public static ControlDependence ofMethod(ControlFlowGraph graph) {
        ControlDependence dependence = new ControlDependence(graph.reversePostOrder());
        dependence.solve(null);
        return dependence;
    }

    /** The control dependence of one iteration of a loop. */
    public static ControlDependence ofIteration(Loop loop) {
        ControlDependence dependence = new ControlDependence(loop.blocks());
        dependence.solve(loop.header());
        return dependence;
    }

    /** The blocks whose last op decides whether this block runs. */
    public Set<BasicBlock> deciders(BasicBlock block) {
        return Collections.unmodifiableSet(deciders.getOrDefault(block, Set.of()));
    }

    /** The blocks whose last op decides whether the iteration ends by going back to the header. */
    public Set<BasicBlock> latchDeciders() {
        return Collections.unmodifiableSet(latchDeciders);
    }

    /** The blocks whose last op decides whether the loop is left to this block. */
    public Set<BasicBlock> exitDeciders(BasicBlock target) {
        return Collections.unmodifiableSet(exitDeciders.getOrDefault(target, Set.of()));
    }

    private void solve(@Nullable BasicBlock header) {
        // nodes: the blocks, LATCH, one EXIT for each target, END for returns, throws and endless loops
        Map<BasicBlock, Integer> exits = new HashMap<>();
        int latch = blocks.size();
        int end = latch + 1;
        int count = end + 1;
        List<Set<Integer>> next = new ArrayList<>();
        for (BasicBlock block : blocks) {
            Set<Integer> to = new LinkedHashSet<>();
            for (BasicBlock successor : block.successors()) {
                Integer inside = position.get(successor);
                if (successor == header) {
                    to.add(latch);
                } else if (inside != null) {
                    to.add(inside);
                } else {
                    Integer exit = exits.get(successor);
                    if (exit == null) {
                        exit = count++;
                        exits.put(successor, exit);
                    }
                    to.add(exit);
                }
            }
            if (to.isEmpty()) {
                to.add(end);
            }
            next.add(to);
        }
        postDominators(next, count);
        for (int i = 0; i < blocks.size(); i++) {
            if (next.get(i).size() > 1) {
                decide(i, next.get(i), latch, exits);
            }
        }
    }

    /** A branch decides what post-dominates one of its successors, but not itself. */
    private void decide(int branch, Set<Integer> successors, int latch, Map<BasicBlock, Integer> exits) {
        BasicBlock decider = blocks.get(branch);
        BitSet own = after.get(branch);
        for (int successor : successors) {
            BitSet decided = (BitSet) after.get(successor).clone();
            for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
                if (i != branch) {
                    decided.clear(i);
                }
            }
            for (int i = decided.nextSetBit(0); i >= 0; i = decided.nextSetBit(i + 1)) {
                if (i < blocks.size()) {
                    deciders.computeIfAbsent(blocks.get(i), b -> new LinkedHashSet<>())
                            .add(decider);
                } else if (i == latch) {
                    latchDeciders.add(decider);
                } else {
                    int exit = i;
                    exits.forEach((target, node) -> {
                        if (node == exit) {
                            exitDeciders
                                    .computeIfAbsent(target, t -> new LinkedHashSet<>())
                                    .add(decider);
                        }
                    });
                }
            }
        }
    }

    /** Fills {@link #after}: for each node the nodes that every path from it passes, itself included. */
    private void postDominators(List<Set<Integer>> next, int count) {
        List<List<Integer>> previous = new ArrayList<>();
        BitSet all = new BitSet();
        all.set(0, count);
        for (int i = 0; i < count; i++) {
            previous.add(new ArrayList<>());
            BitSet initial = i < blocks.size() ? (BitSet) all.clone() : new BitSet();
            initial.set(i);
            after.add(initial);
        }
        Deque<Integer> todo = new ArrayDeque<>();
        for (int i = 0; i < blocks.size(); i++) {
            todo.addFirst(i);
            for (int to : next.get(i)) {
                previous.get(to).add(i);
            }
        }
        while (!todo.isEmpty()) {
            int node = todo.remove();
            BitSet common = (BitSet) all.clone();
            for (int to : next.get(node)) {
                common.and(after.get(to));
            }
            common.set(node);
            if (!common.equals(after.get(node))) {
                after.set(node, common);
                todo.addAll(previous.get(node));
            }
        }
    }
}
