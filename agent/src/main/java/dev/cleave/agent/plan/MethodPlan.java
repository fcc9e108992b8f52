package dev.cleave.agent.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What to do with one method, and why; indices are those of the body as it was when planned.
 *
 * @param strands the nests whose calls are sent by strands
 * @param sinks the calls whose awaits move, in the order of the program
 * @param helpers those of the calls planned that are calls of helpers
 */
public record MethodPlan(
        List<LoopPlan> loops,
        List<StrandPlan> strands,
        List<GroupPlan> groups,
        List<StreamPlan> streams,
        List<PrefetchPlan> prefetches,
        List<StraightLinePrefetchPlan> stretches,
        List<SinkPlan> sinks,
        Map<Integer, Helper> helpers,
        List<Verdict> verdicts) {

    /** Nothing is to be done. */
    public static final MethodPlan NOTHING =
            new MethodPlan(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), Map.of(), List.of());

    public MethodPlan {
        loops = List.copyOf(loops);
        strands = List.copyOf(strands);
        groups = List.copyOf(groups);
        streams = List.copyOf(streams);
        prefetches = List.copyOf(prefetches);
        stretches = List.copyOf(stretches);
        sinks = List.copyOf(sinks);
        helpers = InOrder.copyOf(helpers);
        verdicts = List.copyOf(verdicts);
    }

    /** How the calls of each helper are sent ahead. */
    public Map<Helper, Verdict> helperVerdicts() {
        Map<Helper, Verdict> found = new HashMap<>();
        for (LoopPlan loop : loops) {
            for (int call : loop.sends()) {
                put(found, call, Verdict.Outcome.PIPELINED, loop.window());
            }
        }
        for (GroupPlan group : groups) {
            put(found, group.leader(), Verdict.Outcome.SPLIT, 1);
            group.sends().forEach(call -> put(found, call, Verdict.Outcome.SPLIT, 1));
        }
        for (StreamPlan stream : streams) {
            for (StreamPlan.Callee callee : stream.callees()) {
                if (callee.helper() != null) {
                    put(found, callee.helper(), Verdict.Outcome.PIPELINED, stream.window());
                }
            }
        }
        return found;
    }

    /** How the calls of each helper are prefetched. */
    public Map<PrefetchHelper, Verdict> prefetchVerdicts() {
        Map<PrefetchHelper, Verdict> found = new HashMap<>();
        for (PrefetchPlan prefetch : prefetches) {
            for (PrefetchHelper helper : prefetch.helpers().values()) {
                Verdict verdict = new Verdict(-1, helper.name(), Verdict.Outcome.PREFETCHED, prefetch.window(), null);
                found.merge(helper, verdict, (a, b) -> a.window() >= b.window() ? a : b);
            }
        }
        for (StreamPlan stream : streams) {
            for (StreamPlan.Callee callee : stream.callees()) {
                if (callee.ahead() != null) {
                    Verdict verdict = new Verdict(-1, callee.ahead().name(), stream.outcome(), stream.window(), null);
                    found.merge(callee.ahead(), verdict, (a, b) -> a.window() >= b.window() ? a : b);
                }
            }
        }
        return found;
    }

    private void put(Map<Helper, Verdict> found, int call, Verdict.Outcome outcome, int window) {
        Helper helper = helpers.get(call);
        if (helper != null) {
            put(found, helper, outcome, window);
        }
    }

    private static void put(Map<Helper, Verdict> found, Helper helper, Verdict.Outcome outcome, int window) {
        Verdict verdict = new Verdict(-1, helper.name(), outcome, window, null);
        found.merge(helper, verdict, (a, b) -> a.window() >= b.window() ? a : b);
    }

    /** Whether the method stays as it is. */
    public boolean isEmpty() {
        boolean isStraight = groups.isEmpty() && sinks.isEmpty() && stretches.isEmpty();
        return isStraight && loops.isEmpty() && strands.isEmpty() && prefetches.isEmpty() && streams.isEmpty();
    }
}
