package dev.cleave.agent.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The natural loops of a method and how they lie in each other.
 *
 * <p>Only normal edges make a loop: a handler that covers itself, as javac writes for {@code finally} and {@code
 * synchronized}, is none. Back edges to one header make one loop.
 */
public final class LoopNest {

    private final List<Loop> loops = new ArrayList<>();
    private final DominatorTree dominators;
    private final boolean reducible;

    private LoopNest(ControlFlowGraph cfg) {
        dominators = DominatorTree.of(cfg.graph(), 0);
        for (BasicBlock header : cfg.blocks()) {
            List<BasicBlock> latches = header.predecessors().stream()
                    .filter(latch -> dominators.dominates(header.index(), latch.index()))
                    .toList();
            if (!latches.isEmpty()) {
                loops.add(new Loop(cfg, header, members(cfg, header, latches), latches));
            }
        }
        loops.sort(Comparator.comparingInt(Loop::blockCount));
        for (int i = 0; i < loops.size(); i++) {
            for (int j = i + 1; j < loops.size() && loops.get(i).parent() == null; j++) {
                if (loops.get(j).containsAll(loops.get(i))) {
                    loops.get(i).setParent(loops.get(j));
                }
            }
        }
        loops.sort(Comparator.comparingInt(loop -> loop.header().index()));
        reducible = isAcyclicWithoutBackEdges(cfg);
    }

    /** The loops of a graph. */
    public static LoopNest of(ControlFlowGraph cfg) {
        return new LoopNest(cfg);
    }

    /** All loops, by the position of their headers. */
    public List<Loop> loops() {
        return Collections.unmodifiableList(loops);
    }

    /** The loops that lie in no other. */
    public List<Loop> outermost() {
        return loops.stream().filter(loop -> loop.parent() == null).toList();
    }

    /** The innermost loop around a block, null if there is none. */
    public @Nullable Loop innermost(BasicBlock block) {
        Loop found = null;
        for (Loop loop : loops) {
            if (loop.contains(block) && (found == null || loop.blockCount() < found.blockCount())) {
                found = loop;
            }
        }
        return found;
    }

    /** Whether every cycle of the method is entered at one block only. */
    public boolean isReducible() {
        return reducible;
    }

    /** The dominators over normal and exceptional edges. */
    public DominatorTree dominators() {
        return dominators;
    }

    /** The loops indented by depth. */
    public String text() {
        StringBuilder text = new StringBuilder();
        outermost().forEach(loop -> append(loop, text));
        return text.toString();
    }

    private static void append(Loop loop, StringBuilder text) {
        text.append("  ".repeat(loop.depth() - 1)).append(loop).append('\n');
        loop.children().forEach(child -> append(child, text));
    }

    private BitSet members(ControlFlowGraph cfg, BasicBlock header, List<BasicBlock> latches) {
        BitSet members = new BitSet();
        members.set(header.index());
        Deque<Integer> open = new ArrayDeque<>();
        latches.forEach(latch -> open.add(latch.index()));
        while (!open.isEmpty()) {
            int block = open.poll();
            if (!members.get(block) && dominators.isReachable(block)) {
                members.set(block);
                open.addAll(cfg.graph().predecessors(block));
            }
        }
        return members;
    }

    private boolean isAcyclicWithoutBackEdges(ControlFlowGraph cfg) {
        int size = cfg.graph().size();
        int[] open = new int[size];
        Deque<Integer> ready = new ArrayDeque<>();
        int reachable = 0;
        for (int node = 0; node < size; node++) {
            for (int predecessor : cfg.graph().predecessors(node)) {
                open[node] += isForward(predecessor, node) ? 1 : 0;
            }
            reachable += dominators.isReachable(node) ? 1 : 0;
            if (open[node] == 0 && dominators.isReachable(node)) {
                ready.add(node);
            }
        }
        int done = 0;
        while (!ready.isEmpty()) {
            int node = ready.poll();
            done++;
            for (int next : cfg.graph().successors(node)) {
                if (isForward(node, next) && --open[next] == 0) {
                    ready.add(next);
                }
            }
        }
        return done == reachable;
    }

    private boolean isForward(int from, int to) {
        return dominators.isReachable(from) && !dominators.dominates(to, from);
    }
}
