package dev.cleave.agent.flow;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which branches decide whether a block runs, in a method or in one iteration of a loop.
 *
 * <p>A block depends on another if one way out of the other leads to it for certain and another way may miss it
 * (Ferrante, Ottenstein, Warren 1987, by post-dominators). Edges to handlers inside the region are ways out like any
 * other; an exception that leaves the region is none.
 *
 * <p>For one iteration the region is cut at the header: all edges back to it go to a virtual LATCH, and each block
 * outside that an exit goes to is a virtual EXIT of its own. What LATCH and the EXITs depend on is what controls the
 * loop.
 */
public final class ControlDependence {

    private final List<BasicBlock> blocks;
    private final Map<BasicBlock, Integer> nodeOf = new HashMap<>();
    private final Map<BasicBlock, Integer> exitNodes = new LinkedHashMap<>();
    private final List<List<BasicBlock>> controllers = new ArrayList<>();
    private final DominatorTree postDominators;
    private final int latch;

    private ControlDependence(List<BasicBlock> blocks, List<BasicBlock> exits, BasicBlock header) {
        this.blocks = blocks;
        blocks.forEach(block -> nodeOf.put(block, nodeOf.size()));
        latch = blocks.size();
        exits.forEach(exit -> exitNodes.putIfAbsent(exit, latch + 1 + exitNodes.size()));
        int end = latch + 1 + exitNodes.size();
        DirectedGraph graph = new DirectedGraph(end + 1);
        for (BasicBlock block : blocks) {
            addEdges(graph, block, header);
        }
        for (int node = latch; node < end; node++) {
            graph.addEdge(node, end);
        }
        blocks.stream().filter(b -> graph.successors(node(b)).isEmpty()).forEach(b -> graph.addEdge(node(b), end));
        finishEndless(graph, end);
        postDominators = DominatorTree.of(graph.reversed(), end);
        for (int node = 0; node < end; node++) {
            controllers.add(new ArrayList<>());
        }
        for (BasicBlock block : blocks) {
            depend(graph, block, end);
        }
    }

    /** The dependences in a whole method; returns and throws end it. */
    public static ControlDependence ofMethod(ControlFlowGraph cfg) {
        return new ControlDependence(reachable(cfg, cfg.blocks()), List.of(), cfg.entry());
    }

    /** The dependences within one iteration of a loop. */
    public static ControlDependence ofIteration(ControlFlowGraph cfg, Loop loop) {
        List<BasicBlock> exits = loop.exits().stream().map(Loop.Exit::to).toList();
        return new ControlDependence(loop.blocks(), exits, loop.header());
    }

    /** The blocks whose last op, or whose throwing, directly decides whether a block of the region runs. */
    public List<BasicBlock> controllers(BasicBlock block) {
        return List.copyOf(controllers.get(node(block)));
    }

    /** The blocks that decide whether there is a next iteration. */
    public List<BasicBlock> latchControllers() {
        return List.copyOf(controllers.get(latch));
    }

    /** The blocks outside that normal exits go to. */
    public List<BasicBlock> exits() {
        return List.copyOf(exitNodes.keySet());
    }

    /** The blocks that decide whether the loop is left for a block outside. */
    public List<BasicBlock> exitControllers(BasicBlock exit) {
        Integer node = exitNodes.get(exit);
        if (node == null) {
            throw new IllegalArgumentException("exit: " + exit + " (expected: one of " + exits() + ")");
        }
        return List.copyOf(controllers.get(node));
    }

    /** Whether every way from one block of the region to its end passes through another. */
    public boolean postDominates(BasicBlock later, BasicBlock earlier) {
        return postDominators.dominates(node(later), node(earlier));
    }

    /** Whether every iteration that goes on to the next passes through a block. */
    public boolean isOnEveryWayToLatch(BasicBlock block, DominatorTree dominators, Loop loop) {
        return loop.latches().stream().allMatch(from -> dominators.dominates(block.index(), from.index()));
    }

    /** A line for each block that depends on another. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (BasicBlock block : blocks) {
            append(text, block.toString(), controllers.get(node(block)));
        }
        append(text, "LATCH", controllers.get(latch));
        exitNodes.forEach((exit, node) -> append(text, "EXIT " + exit, controllers.get(node)));
        return text.toString();
    }

    private static void append(StringBuilder text, String who, List<BasicBlock> on) {
        if (!on.isEmpty()) {
            text.append(who).append(" on ").append(on).append('\n');
        }
    }

    private int node(BasicBlock block) {
        Integer node = nodeOf.get(block);
        if (node == null) {
            throw new IllegalArgumentException("block: " + block + " (expected: one of the region)");
        }
        return node;
    }

    private void addEdges(DirectedGraph graph, BasicBlock block, BasicBlock header) {
        List<BasicBlock> ways = new ArrayList<>(block.successors());
        block.catchers().stream().filter(nodeOf::containsKey).forEach(ways::add);
        for (BasicBlock to : ways) {
            if (to == header) {
                graph.addEdge(node(block), latch);
            } else if (nodeOf.containsKey(to)) {
                graph.addEdge(node(block), node(to));
            } else {
                graph.addEdge(node(block), exitNodes.get(to));
            }
        }
    }

    /** Gives blocks that run for ever a way to the end, so that post-dominators exist. */
    private static void finishEndless(DirectedGraph graph, int end) {
        BitSet ending = graph.reversed().reachableFrom(end);
        for (int node = 0; node < end; node++) {
            if (!ending.get(node)) {
                graph.addEdge(node, end);
                ending = graph.reversed().reachableFrom(end);
            }
        }
    }

    private void depend(DirectedGraph graph, BasicBlock block, int end) {
        int stop = postDominators.immediateDominator(node(block));
        for (int to : graph.successors(node(block))) {
            for (int at = to; at != stop && at != end && at >= 0; at = postDominators.immediateDominator(at)) {
                if (!controllers.get(at).contains(block)) {
                    controllers.get(at).add(block);
                }
            }
        }
    }

    private static List<BasicBlock> reachable(ControlFlowGraph cfg, List<BasicBlock> blocks) {
        BitSet reachable = cfg.reachable();
        return blocks.stream().filter(block -> reachable.get(block.index())).toList();
    }
}
