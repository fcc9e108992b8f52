package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.List;

/** Checks calls that strands are to send beside each other. */
final class SentTogether {

    private SentTogether() {}

    /** Why a call of a group stays with the program. */
    static Refused ofGroup(Method method, int call) {
        return method.refused(Rule.R13, call, "strands leave the calls of a group to the program");
    }

    /** Refuses calls that strands must not send beside the others. */
    static void check(Method method, Region region, List<Integer> calls) throws Refused {
        SendOrder order = new SendOrder(method);
        for (int call : calls) {
            CallSetting setting = method.setting(call);
            if (method.helper(call) != null || setting == null) {
                throw method.refused(
                        Rule.R71, call, method.nameOf(call) + " calls a remote method itself", "call it in the nest");
            }
            if (!setting.group().isEmpty()) {
                throw ofGroup(method, call);
            }
            for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
                if (order.readsWhatChanges(call, i)) {
                    throw new Refused(order.overlap(i, call).refusal(), call);
                }
            }
        }
    }
}
