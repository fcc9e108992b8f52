package dev.cleave.agent.transform;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.GroupPlan;
import dev.cleave.agent.plan.LoopPlan;
import dev.cleave.agent.plan.MethodPlan;
import java.util.ArrayList;
import java.util.List;

/** Edits a body as its plan says. */
final class MethodRewriter {

    private MethodRewriter() {}

    static void rewrite(MethodBody body, MethodPlan plan) {
        List<Op> original = List.copyOf(body.ops());
        List<Integer> lines = new ArrayList<>();
        for (Op op : original) {
            lines.add(body.lineOf(op));
        }
        for (GroupPlan group : plan.groups()) {
            new GroupWriter(body, original, group).write(lines);
        }
        for (LoopPlan loop : plan.loops()) {
            new LoopWriter(body, original, loop).write(lines);
        }
    }
}
