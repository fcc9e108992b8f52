package dev.cleave.agent.plan;

import dev.cleave.agent.flow.Block;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.LaterPlan.FastLoop;
import dev.cleave.agent.plan.LaterPlan.Fixed;
import dev.cleave.agent.plan.LaterPlan.Kind;
import dev.cleave.agent.plan.LaterPlan.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The loops without loops in them that touch elements of arrays that may be missing. */
final class FastLoops {

    private final ControlFlowGraph graph;
    private final Map<Op, List<Wait>> waits;

    private FastLoops(ControlFlowGraph graph, Map<Op, List<Wait>> waits) {
        this.graph = graph;
        this.waits = waits;
    }

    static List<FastLoop> of(ControlFlowGraph graph, Map<Op, List<Wait>> waits) {
        FastLoops loops = new FastLoops(graph, waits);
        List<FastLoop> fast = new ArrayList<>();
        for (Loop loop : LoopNest.of(graph, Dominators.of(graph)).loops()) {
            if (loop.inner().isEmpty() && loop.header().first() instanceof LabelOp header && loops.touches(loop)) {
                fast.add(loops.plan(loop, header));
            }
        }
        return fast;
    }

    private boolean touches(Loop loop) {
        return loop.blocks().stream()
                .flatMap(block -> block.ops().stream())
                .anyMatch(op -> waits.getOrDefault(op, List.of()).stream().anyMatch(w -> w.kind() == Kind.ELEMENT));
    }

    private FastLoop plan(Loop loop, LabelOp header) {
        List<Op> ops = new ArrayList<>();
        Map<Op, Op> leaves = new IdentityHashMap<>();
        for (Block block : loop.blocks()) {
            ops.addAll(block.ops());
            boolean isLast = block.number() + 1 == graph.blocks().size();
            if (block.last().fallsThrough() && !isLast) {
                Block next = graph.blocks().get(block.number() + 1);
                if (!loop.contains(next)) {
                    leaves.put(block.last(), next.first());
                }
            }
        }
        int begun = 0;
        List<Fixed> fixed = new ArrayList<>();
        Set<Wait> checked = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Op op : ops) {
            for (Wait wait : waits.getOrDefault(op, List.of())) {
                if (wait.kind() == Kind.LENGTH || wait.kind() == Kind.ELEMENT) {
                    begun |= wait.values();
                }
                if (wait.kind() == Kind.ELEMENT && wait.index() != null) {
                    Fixed same = fixed(ops, op, wait.index(), Integer.numberOfTrailingZeros(wait.values()));
                    if (same == null) {
                        checked.add(wait);
                    } else if (!fixed.contains(same)) {
                        fixed.add(same);
                    }
                }
            }
        }
        return new FastLoop(header, ops, leaves, begun, fixed, checked);
    }

    /** The index as it is in all passes, null if it changes. */
    private @Nullable Fixed fixed(List<Op> ops, Op op, Register index, int parameter) {
        List<Op> block = graph.blockOf(op).ops();
        Register wanted = index;
        for (int i = block.indexOf(op) - 1; i >= 0; i--) {
            if (block.get(i).def() == wanted) {
                if (block.get(i) instanceof MoveOp move) {
                    wanted = move.use();
                } else {
                    return block.get(i) instanceof ConstOp constant && constant.value() instanceof Integer number
                            ? new Fixed(parameter, null, number)
                            : null;
                }
            }
        }
        Register source = wanted;
        boolean changes =
                ops.stream().anyMatch(each -> each.def() != null && each.def().overlaps(source));
        return changes ? null : new Fixed(parameter, source, 0);
    }
}
