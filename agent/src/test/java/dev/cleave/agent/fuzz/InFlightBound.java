package dev.cleave.agent.fuzz;

import dev.cleave.agent.plan.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many calls of each method a run may have in flight: the windows of its calls added up. A helper's call counts once
 * for each call that the program has, as it may be sent for all of them.
 */
record InFlightBound(Map<String, Integer> ofMethod, int ofOthers) {

    /** That of a program as written. */
    static final InFlightBound ONE = new InFlightBound(Map.of(), 0);

    /** That of a program rewritten with these verdicts. */
    static InFlightBound of(Map<String, List<Verdict>> verdicts) {
        int calls = verdicts.values().stream().mapToInt(List::size).sum();
        Map<String, Integer> bounds = new HashMap<>();
        verdicts.forEach((method, found) -> {
            int times = method.startsWith("run(") ? 1 : 4 * calls;
            for (Verdict verdict : found) {
                String name = verdict.call().substring(verdict.call().lastIndexOf('.') + 1);
                bounds.merge(name, verdict.window() * times, Integer::sum);
            }
        });
        return new InFlightBound(bounds, 0);
    }

    boolean allows(String method, int inFlight) {
        return inFlight <= ofMethod.getOrDefault(method, ofOthers);
    }
}
