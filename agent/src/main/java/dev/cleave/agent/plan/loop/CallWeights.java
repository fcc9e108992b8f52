package dev.cleave.agent.plan.loop;

import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** How often calls of the text are made, as a guess: each loop around a call makes it eight times. */
final class CallWeights {

    private static final double ROUNDS = 8;

    private final OpGraph graph;
    private final ControlFlowGraph blocks;
    private final LoopNest nest;

    private CallWeights(OpGraph graph) {
        MethodBody body = graph.body();
        this.graph = graph;
        this.blocks = ControlFlowGraph.of(body);
        this.nest = LoopNest.of(blocks, Dominators.of(blocks));
    }

    /** The weight of some calls of a method. */
    static double of(Method method, Collection<Integer> calls) {
        CallWeights weights = new CallWeights(method.graph());
        return calls.stream().mapToDouble(weights::of).sum();
    }

    /** The weight of the calls that strands send. */
    static double of(StrandPlan plan) {
        CallWeights weights = new CallWeights(plan.region().graph());
        return plan.sends().keySet().stream().mapToDouble(weights::of).sum()
                + plan.walks().keySet().stream()
                        .mapToDouble(walk -> ROUNDS * weights.of(walk))
                        .sum();
    }

    /** Whether strands send the calls of all rows. */
    static boolean isComplete(StrandPlan plan) {
        Set<Integer> rows = new HashSet<>();
        plan.sends().values().forEach(call -> rows.add(call.row()));
        plan.walks().values().forEach(walk -> rows.add(walk.row()));
        return rows.size() == plan.rows();
    }

    private double of(int call) {
        Loop innermost = nest.innermost(blocks.blockOf(graph.op(call)));
        return Math.pow(ROUNDS, innermost == null ? 0 : innermost.depth());
    }
}
