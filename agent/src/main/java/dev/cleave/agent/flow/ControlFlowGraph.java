package dev.cleave.agent.flow;

import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The basic blocks of a body with normal and exceptional edges.
 *
 * <p>A block ends where control may part or join and where the list of covering handlers changes. From every block with
 * an op that may throw there are edges to its handlers, up to the first that catches all; linkage errors count, so most
 * calls, field and array accesses have them. Block 0 is an entry without ops, so no loop begins at it.
 */
public final class ControlFlowGraph {

    private final MethodBody body;
    private final List<BasicBlock> blocks = new ArrayList<>();
    private final Map<Op, BasicBlock> blockOf = new HashMap<>();
    private final DirectedGraph graph;
    private final DirectedGraph normalGraph;

    private ControlFlowGraph(MethodBody body) {
        this.body = body;
        blocks.add(new BasicBlock(0, List.of(), List.of()));
        split();
        link();
        graph = new DirectedGraph(blocks.size());
        normalGraph = new DirectedGraph(blocks.size());
        for (BasicBlock block : blocks) {
            for (BasicBlock next : block.successors) {
                graph.addEdge(block.index(), next.index());
                normalGraph.addEdge(block.index(), next.index());
            }
            block.catchers.forEach(next -> graph.addEdge(block.index(), next.index()));
        }
    }

    /** The graph of a body as it is now. */
    public static ControlFlowGraph of(MethodBody body) {
        return new ControlFlowGraph(body);
    }

    public MethodBody body() {
        return body;
    }

    /** All blocks, at the index of their number; blocks that cannot be reached are among them. */
    public List<BasicBlock> blocks() {
        return blocks;
    }

    public BasicBlock entry() {
        return blocks.get(0);
    }

    /** The block of an op. */
    public BasicBlock blockOf(Op op) {
        BasicBlock block = blockOf.get(op);
        if (block == null) {
            throw new IllegalArgumentException("op: " + op + " (expected: one of this graph)");
        }
        return block;
    }

    /** The block's numbers with all edges. */
    public DirectedGraph graph() {
        return graph;
    }

    /** The block's numbers with normal edges only. */
    public DirectedGraph normalGraph() {
        return normalGraph;
    }

    /** A line for each block: its number, its ops, its edges. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (BasicBlock block : blocks) {
            text.append(block).append(" -> ").append(block.successors);
            text.append(block.catchers.isEmpty() ? "" : " throws " + block.catchers)
                    .append('\n');
            block.ops().forEach(op -> text.append("    ").append(op).append('\n'));
        }
        return text.toString();
    }

    private void split() {
        Set<LabelOp> entries = new HashSet<>();
        body.ops().forEach(op -> entries.addAll(op.targets()));
        for (Handler handler : body.handlers()) {
            entries.add(handler.target());
            entries.add(handler.start());
            entries.add(handler.end());
        }
        List<Op> open = new ArrayList<>();
        List<Handler> covering = List.of();
        for (Op op : body.ops()) {
            if (op instanceof LabelOp label && entries.contains(label)) {
                close(open, covering);
                covering = handlersBehind(label);
            }
            open.add(op);
            if (!op.targets().isEmpty() || !op.fallsThrough()) {
                close(open, covering);
            }
        }
        close(open, covering);
    }

    private List<Handler> handlersBehind(LabelOp label) {
        int index = body.indexOf(label);
        List<Handler> covering = new ArrayList<>();
        for (Handler handler : body.handlers()) {
            boolean covers = body.indexOf(handler.start()) <= index && index < body.indexOf(handler.end());
            if (covers
                    && (covering.isEmpty() || covering.get(covering.size() - 1).type() != null)) {
                covering.add(handler);
            }
        }
        return List.copyOf(covering);
    }

    private void close(List<Op> open, List<Handler> covering) {
        if (!open.isEmpty()) {
            BasicBlock block = new BasicBlock(blocks.size(), open, covering);
            blocks.add(block);
            open.forEach(op -> blockOf.put(op, block));
            open.clear();
        }
    }

    private void link() {
        for (BasicBlock block : blocks) {
            Op last = block.last();
            if ((last == null || last.fallsThrough()) && block.index() + 1 < blocks.size()) {
                connect(block, blocks.get(block.index() + 1));
            }
            if (last != null) {
                last.targets().forEach(target -> connect(block, blockOf(target)));
            }
            if (block.ops().stream().anyMatch(Op::mayThrow)) {
                for (Handler handler : block.handlers()) {
                    BasicBlock catcher = blockOf(handler.target());
                    if (!block.catchers.contains(catcher)) {
                        block.catchers.add(catcher);
                        catcher.throwers.add(block);
                    }
                }
            }
        }
    }

    private static void connect(BasicBlock from, BasicBlock to) {
        if (!from.successors.contains(to)) {
            from.successors.add(to);
            to.predecessors.add(from);
        }
    }

    /** Whether a block is where a handler begins. */
    public static boolean isCatcher(BasicBlock block) {
        return block.ops().stream().anyMatch(CatchOp.class::isInstance);
    }

    /** The blocks that can be reached from the entry. */
    public BitSet reachable() {
        return graph.reachableFrom(0);
    }
}
