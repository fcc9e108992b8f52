package dev.cleave.agent.plan;

import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The placements of one method, with the verdicts; indices are those of the body as it was when planned.
 *
 * @param placements in the order in which the planners made them
 * @param helpers the helpers by the calls of them that are sent ahead
 */
public record MethodPlan(List<CallPlacement> placements, Map<Integer, Helper> helpers, List<Verdict> verdicts) {

    /** Nothing is to be done. */
    public static final MethodPlan NOTHING = new MethodPlan(List.of(), Map.of(), List.of());

    /** Copies its components. */
    public MethodPlan {
        placements = List.copyOf(placements);
        helpers = InOrder.copyOf(helpers);
        verdicts = List.copyOf(verdicts);
    }

    /** How the calls of each helper are sent ahead. */
    public Map<Helper, Verdict> helperVerdicts() {
        Map<Helper, Verdict> found = new HashMap<>();
        for (CallPlacement placement : placements) {
            for (int call : placement.calls()) {
                Helper helper = helpers.get(call);
                if (helper != null) {
                    merge(found, helper, helper.name(), placement.outcome(call), placement.window(call));
                }
            }
            for (Helper function : placement.splitFunctions()) {
                merge(found, function, function.name(), Verdict.Outcome.PIPELINED, placement.window());
            }
        }
        return found;
    }

    /** How the calls of each helper are prefetched. */
    public Map<PrefetchHelper, Verdict> prefetchVerdicts() {
        Map<PrefetchHelper, Verdict> found = new HashMap<>();
        for (CallPlacement placement : placements) {
            for (PrefetchHelper helper : placement.prefetched()) {
                merge(found, helper, helper.name(), Verdict.Outcome.PREFETCHED, placement.window());
            }
        }
        return found;
    }

    private static <H> void merge(Map<H, Verdict> found, H helper, String name, Verdict.Outcome outcome, int window) {
        Verdict verdict = new Verdict(-1, name, outcome, window, null);
        found.merge(helper, verdict, (a, b) -> a.window() >= b.window() ? a : b);
    }

    /** Whether nothing is to be done. */
    public boolean isEmpty() {
        return placements.isEmpty();
    }
}
