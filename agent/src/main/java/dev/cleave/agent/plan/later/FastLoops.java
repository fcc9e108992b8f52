package dev.cleave.agent.plan.later;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.later.LaterPlan.FastLoop;
import dev.cleave.agent.plan.later.LaterPlan.Fixed;
import dev.cleave.agent.plan.later.LaterPlan.Kind;
import dev.cleave.agent.plan.later.LaterPlan.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loops without loops in them that touch elements of arrays that may be missing. It also finds the passes of
 * the outermost loops around them: often all elements that a pass needs are there when the pass begins.
 */
final class FastLoops {

    private static final int MOST_OPS = 400; // of a pass: the JIT does not compile very long methods

    private final ControlFlowGraph graph;
    private final Map<Op, List<Wait>> waits;

    private FastLoops(ControlFlowGraph graph, Map<Op, List<Wait>> waits) {
        this.graph = graph;
        this.waits = waits;
    }

    /** Finds the fast loops of a method; no loop that holds one of the {@code calls}, or passes a parameter on. */
    static List<FastLoop> of(ControlFlowGraph graph, Map<Op, List<Wait>> waits, Set<Op> calls) {
        FastLoops loops = new FastLoops(graph, waits);
        List<FastLoop> fast = new ArrayList<>();
        for (Loop loop : LoopNest.of(graph, Dominators.of(graph)).loops()) {
            if (loop.header().first() instanceof LabelOp header && loops.touches(loop) && !loops.passes(loop, calls)) {
                if (loop.inner().isEmpty()) {
                    fast.add(loops.plan(loop, header));
                } else if (loop.outer() == null && loops.isPlain(loop)) {
                    fast.add(loops.pass(loop, header));
                }
            }
        }
        return fast;
    }

    private boolean touches(Loop loop) {
        return loop.blocks().stream()
                .flatMap(block -> block.ops().stream())
                .anyMatch(op -> waits.getOrDefault(op, List.of()).stream().anyMatch(w -> w.kind() == Kind.ELEMENT));
    }

    private boolean passes(Loop loop, Set<Op> calls) {
        return loop.blocks().stream()
                .flatMap(block -> block.ops().stream())
                .anyMatch(op -> calls.contains(op)
                        || waits.getOrDefault(op, List.of()).stream()
                                .anyMatch(w -> w.kind() == Kind.PASS || w.kind() == Kind.STUB));
    }

    /** Whether the header comes first, and each wait is for one parameter whatever way has led there. */
    private boolean isPlain(Loop loop) {
        List<Op> ops =
                loop.blocks().stream().flatMap(block -> block.ops().stream()).toList();
        return ops.get(0) == loop.header().first()
                && ops.size() <= MOST_OPS
                && ops.stream()
                        .flatMap(op -> waits.getOrDefault(op, List.of()).stream())
                        .allMatch(wait -> LaterPlan.isOne(wait.values()));
    }

    private FastLoop pass(Loop loop, LabelOp header) {
        Map<Op, Op> leaves = new LinkedHashMap<>();
        List<Op> ops = ops(loop, leaves);
        List<Op> steps = steps(loop);
        List<Op> others = ops.stream().filter(op -> !steps.contains(op)).toList();
        int begun = 0;
        int whole = 0;
        List<Fixed> fixed = new ArrayList<>();
        for (Op op : ops) {
            for (Wait wait : waits.getOrDefault(op, List.of())) {
                int parameter = Integer.numberOfTrailingZeros(wait.values());
                Register index = wait.index();
                Fixed same = index == null ? null : fixed(others, op, index, parameter);
                if (same != null && !fixed.contains(same)) {
                    fixed.add(same);
                }
                begun |= wait.kind() == Kind.LENGTH || same != null ? wait.values() : 0;
                whole |= wait.kind() == Kind.WHOLE || wait.kind() == Kind.ELEMENT && same == null ? wait.values() : 0;
            }
        }
        int missing = ~whole;
        List<Fixed> left = fixed.stream()
                .filter(each -> (missing & 1 << each.parameter()) != 0)
                .toList();
        return new FastLoop(header, ops.subList(1, ops.size()), leaves, begun & missing, left, Set.of(), whole, true);
    }

    /** Returns the ops at the end of a pass that do not throw, right before it goes back to the header. */
    private static List<Op> steps(Loop loop) {
        List<Op> steps = new ArrayList<>();
        for (BasicBlock latch : loop.latches()) {
            if (latch.successors().equals(List.of(loop.header()))) {
                List<Op> ops = latch.ops();
                for (int i = ops.size() - 1; i >= 0 && !ops.get(i).mayThrow(); i--) {
                    steps.add(ops.get(i));
                }
            }
        }
        return steps;
    }

    private List<Op> ops(Loop loop, Map<Op, Op> leaves) {
        List<Op> ops = new ArrayList<>();
        for (BasicBlock block : loop.blocks()) {
            ops.addAll(block.ops());
            boolean isLast = block.number() + 1 == graph.blocks().size();
            if (block.last().fallsThrough() && !isLast) {
                BasicBlock next = graph.blocks().get(block.number() + 1);
                if (!loop.contains(next)) {
                    leaves.put(block.last(), next.first());
                }
            }
        }
        return ops;
    }

    private FastLoop plan(Loop loop, LabelOp header) {
        Map<Op, Op> leaves = new LinkedHashMap<>();
        List<Op> ops = ops(loop, leaves);
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
        return new FastLoop(header, ops, leaves, begun, fixed, checked, 0, false);
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
