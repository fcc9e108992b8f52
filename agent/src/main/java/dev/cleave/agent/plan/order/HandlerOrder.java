package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.BitSet;

/**
 * The order of exception handlers around a part of a method (R41): calls left in flight are discarded between the handlers in
 * that part and those around it. No compiler of Java makes another order; other tools may.
 */
public final class HandlerOrder {

    private HandlerOrder() {}

    /** Refuses a part of which an op has a handler in the part behind one around it. */
    public static void check(Method method, BitSet ops) throws Refused {
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            boolean outside = false;
            for (Handler handler : method.graph().body().handlersOf(method.op(i))) {
                boolean isInside = ops.get(method.graph().body().indexOf(handler.target()));
                if (isInside && outside) {
                    throw method.refused(Rule.R41, i, "the exception handlers are interleaved", "restructure the try");
                }
                outside |= !isInside;
            }
        }
    }
}
