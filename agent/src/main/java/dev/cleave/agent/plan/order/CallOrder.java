package dev.cleave.agent.plan.order;

import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Calls of one group keep their order (R13): all of them in a loop are sent by one stage, or none is sent ahead. */
public final class CallOrder {

    private final Method method;
    private final Region region;

    /** Looks at the calls of a loop. */
    public CallOrder(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** Refuses stages that would change the order in which calls of one group are sent. */
    public void check(List<List<Integer>> stages) throws Refused {
        Map<String, Integer> stageOf = new HashMap<>();
        for (int stage = 0; stage < stages.size(); stage++) {
            for (int call : stages.get(stage)) {
                String group = groupOf(call);
                if (!group.isEmpty() && stageOf.getOrDefault(group, stage) != stage) {
                    throw refused(call, group);
                }
                stageOf.put(group, stage);
            }
        }
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            String group = groupOf(i);
            int at = i;
            boolean isSent = stages.stream().anyMatch(stage -> stage.contains(at));
            if (!group.isEmpty() && !isSent && stageOf.containsKey(group)) {
                throw refused(i, group);
            }
        }
    }

    private Refused refused(int call, String group) {
        return method.refused(Rule.R13, call, "it would not keep its place among the calls of group " + group);
    }

    private String groupOf(int index) {
        CallSetting setting = method.setting(index);
        return setting == null ? "" : setting.group();
    }
}
