package dev.cleave.agent.flow;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The blocks of a method body and the edges between them, exceptional ones included.
 *
 * <p>A block ends before a label, after an op that branches or does not fall through, and where the covering handlers
 * change.
 */
public final class ControlFlowGraph {

    private final MethodBody body;
    private final List<BasicBlock> blocks = new ArrayList<>();
    private final Map<Op, BasicBlock> blockOf = new IdentityHashMap<>();

    private ControlFlowGraph(MethodBody body) {
        this.body = body;
    }

    /** The graph of a body as it is now. */
    public static ControlFlowGraph of(MethodBody body) {
        ControlFlowGraph graph = new ControlFlowGraph(body);
        graph.cut();
        graph.link();
        return graph;
    }

    /** The body that this is the graph of. */
    public MethodBody body() {
        return body;
    }

    /** All blocks in list order; the first is the entry. */
    public List<BasicBlock> blocks() {
        return Collections.unmodifiableList(blocks);
    }

    /** The block with which the method begins. */
    public BasicBlock entry() {
        return blocks.get(0);
    }

    /** The block that holds an op. */
    public BasicBlock blockOf(Op op) {
        BasicBlock block = blockOf.get(op);
        if (block == null) {
            throw new IllegalArgumentException("op: " + op + " (expected: one of the body)");
        }
        return block;
    }

    /** The blocks in reverse post-order from the entry over all edges; unreachable ones are left out. */
    public List<BasicBlock> reversePostOrder() {
        List<BasicBlock> order = new ArrayList<>();
        boolean[] seen = new boolean[blocks.size()];
        // iterative depth-first walk: an entry of the stack is a block and the number of successors that were visited
        List<BasicBlock> path = new ArrayList<>(List.of(entry()));
        List<Integer> taken = new ArrayList<>(List.of(0));
        seen[0] = true;
        while (!path.isEmpty()) {
            int top = path.size() - 1;
            List<BasicBlock> next = path.get(top).allSuccessors();
            int at = taken.get(top);
            if (at == next.size()) {
                order.add(path.remove(top));
                taken.remove(top);
                continue;
            }
            taken.set(top, at + 1);
            BasicBlock successor = next.get(at);
            if (!seen[successor.number()]) {
                seen[successor.number()] = true;
                path.add(successor);
                taken.add(0);
            }
        }
        Collections.reverse(order);
        return order;
    }

    /** The blocks one a line: {@code B0 -> B1 B2 ! B5}, with their ops below. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (BasicBlock block : blocks) {
            text.append(block).append(" -> ").append(names(block.successors()));
            if (!block.handlers().isEmpty()) {
                text.append(" ! ").append(names(block.handlers()));
            }
            text.append('\n');
            block.ops().stream()
                    .filter(Op::isExecutable)
                    .forEach(op -> text.append("  ").append(op).append('\n'));
        }
        return text.toString();
    }

    private static String names(List<BasicBlock> blocks) {
        return blocks.stream().map(BasicBlock::toString).collect(Collectors.joining(" "));
    }

    private void cut() {
        List<Op> current = new ArrayList<>();
        for (Op op : body.ops()) {
            if (op instanceof LabelOp && !current.isEmpty()) {
                close(current);
            }
            current.add(op);
            if (!op.fallsThrough() || !op.targets().isEmpty()) {
                close(current);
            }
        }
        if (!current.isEmpty()) {
            close(current);
        }
    }

    private void close(List<Op> ops) {
        BasicBlock block = new BasicBlock(blocks.size(), ops);
        blocks.add(block);
        ops.forEach(op -> blockOf.put(op, block));
        ops.clear();
    }

    private void link() {
        for (BasicBlock block : blocks) {
            Op last = block.last();
            if (last.fallsThrough() && block.number() + 1 < blocks.size()) {
                block.linkTo(blocks.get(block.number() + 1));
            }
            for (LabelOp target : last.targets()) {
                block.linkTo(blockOf(target));
            }
        }
        // handler ranges begin and end at labels, so they cover whole blocks
        for (Handler handler : body.handlers()) {
            int start = body.indexOf(handler.start());
            int end = body.indexOf(handler.end());
            BasicBlock target = blockOf(handler.target());
            for (BasicBlock block : blocks) {
                boolean covered = start <= body.indexOf(block.first()) && body.indexOf(block.last()) < end;
                if (covered && block.ops().stream().anyMatch(Op::mayThrow)) {
                    block.throwTo(target);
                }
            }
        }
    }
}
