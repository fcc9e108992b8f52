package dev.cleave.agent.fuzz;

import dev.cleave.agent.plan.verdict.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many calls of each method a run may have in flight: the windows of its calls added up. What stands in a helper
 * counts for each call of the program, as it may be sent for all of them, and more than once for helpers of helpers.
 */
record InFlightBound(Map<String, Integer> ofMethod) {

    private static final int NESTED = 4;
    private static final int MOST = 1 << 12; // of a window that is automatic: more than a program has calls

    /** That of a program as written. */
    static final InFlightBound ONE = new InFlightBound(Map.of());

    /** That of a program rewritten with these verdicts. */
    static InFlightBound of(Map<String, List<Verdict>> verdicts) {
        int calls = verdicts.values().stream().mapToInt(List::size).sum();
        Map<String, Integer> bounds = new HashMap<>();
        verdicts.forEach((method, found) -> {
            int times = method.startsWith("run(") ? 1 : NESTED * calls;
            for (Verdict verdict : found) {
                String name = verdict.call().substring(verdict.call().lastIndexOf('.') + 1);
                bounds.merge(name, Math.min(verdict.window(), MOST) * times, Integer::sum);
            }
        });
        return new InFlightBound(bounds);
    }

    boolean allows(String method, int inFlight) {
        return inFlight <= ofMethod.getOrDefault(method, 0);
    }
}
