package dev.cleave.agent.plan.loop;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.order.HandlerOrder;
import dev.cleave.agent.plan.order.NestIterations;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Exception handlers in the body of a loop (R41, R42): which calls they leave out, and which of them are too involved.
 */
final class LoopHandlers {

    private final Method method;
    private final Region region;

    LoopHandlers(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** Refuses handlers that leave the loop or are interleaved, and calls in handlers. */
    void check(List<Integer> calls) throws Refused {
        HandlerOrder.check(method, region.ops());
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (!region.ordinary().get(i)) {
                checkHandlerCode(i);
            }
        }
        for (int call : calls) {
            if (!region.ordinary().get(call)) {
                throw method.refused(Rule.R41, call, "the call is in an exception handler", "move it out");
            }
        }
    }

    private void checkHandlerCode(int index) throws Refused {
        for (int successor : method.graph().next(index)) {
            if (!region.ops().get(successor)) {
                throw method.refused(Rule.R37, index, "an exception handler leaves the loop", "leave it elsewhere");
            }
        }
    }

    /** For each handler in the loop the calls that it keeps the step from; ambiguous ones are refused (R41). */
    Map<Integer, List<Integer>> skips(List<Integer> calls, NestIterations steps) throws Refused {
        Map<Integer, List<Integer>> skips = new HashMap<>();
        for (Handler handler : method.graph().body().handlers()) {
            int target = method.graph().body().indexOf(handler.target());
            if (!region.ops().get(target) || skips.containsKey(target)) {
                continue;
            }
            List<Integer> skipped = new ArrayList<>();
            BitSet after = region.afterUpTo(target, steps.ends());
            for (int i = 0; i < calls.size(); i++) {
                if (!after.get(calls.get(i))) {
                    skipped.add(i);
                } else if (!steps.isCertain(target, calls.get(i))) {
                    throw method.refused(
                            Rule.R41,
                            target,
                            "whether the call follows depends on an exception",
                            "call it in both cases");
                }
            }
            skips.put(target, skipped);
        }
        return skips;
    }
}
