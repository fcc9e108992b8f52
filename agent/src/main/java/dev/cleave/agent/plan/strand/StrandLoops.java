package dev.cleave.agent.plan.strand;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.verdict.Refusal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodNode;

/** Plans strands for a method that is nothing but one loop over calls of helpers. */
public final class StrandLoops {

    private StrandLoops() {}

    /**
     * What is planned.
     *
     * @param reads the places that the strands read, those that the arguments of calls lead to included
     */
    public record Planned(StrandPlan strands, List<Access> reads) {

        /** Copies its components. */
        public Planned {
            reads = List.copyOf(reads);
        }
    }

    private static List<Access> reads(Method method, StrandPlan plan) {
        List<Access> reads = new ArrayList<>();
        for (StrandPlan.Strand strand : plan.strands()) {
            BitSet executed = strand.slice().executed();
            ReorderingCheck check = new ReorderingCheck(
                    method,
                    plan.region(),
                    executed,
                    strand.slice().sends(),
                    strand.slice().iterators());
            reads.addAll(check.places());
        }
        for (EntryTest test : plan.tests()) {
            for (Value value : test.values()) {
                value.ops().forEach(op -> method.effects()
                        .of(op)
                        .reads()
                        .forEach(read -> reads.add(new Access(read.place(), null, null))));
            }
        }
        return reads;
    }

    /**
     * Plans it; null if no call can be sent.
     *
     * @param refusals is told why
     */
    public static @Nullable Planned plan(MethodNode node, Callees helpers, Map<Integer, Refusal> refusals) {
        try {
            MethodBody body = helpers.build(node);
            FlatMethod flat = FlatMethod.of(body.owner(), node, helpers, true);
            if (flat == null) {
                return null;
            }
            Method real = helpers.method(body);
            Method whole = helpers.method(flat.body());
            Loop own = outermost(real.graph().body());
            Loop loop = outermost(whole.graph().body());
            if (own == null || loop == null) {
                return null;
            }
            StrandPlanner planner =
                    new StrandPlanner(whole, StrandPart.of(whole, loop), real, StrandPart.of(real, own), flat);
            StrandPlan plan = planner.planPart();
            refusals.putAll(planner.refusals());
            if (plan == null
                    || !plan.mappings().isEmpty()
                    || !plan.walks().isEmpty()
                    || plan.sends().values().stream().anyMatch(StrandPlan.Call::isKeyed)) {
                return null; // streams fill no maps and begin no walks
            }
            return new Planned(plan, reads(whole, plan));
        } catch (Unsupported e) {
            return null; // too large
        }
    }

    private static @Nullable Loop outermost(MethodBody body) {
        ControlFlowGraph blocks = ControlFlowGraph.of(body);
        LoopNest nest = LoopNest.of(blocks, Dominators.of(blocks));
        Loop found = null;
        for (Loop loop : nest.loops()) {
            if (loop.outer() == null) {
                if (found != null) {
                    return null;
                }
                found = loop;
            }
        }
        return nest.reducible() ? found : null;
    }
}
