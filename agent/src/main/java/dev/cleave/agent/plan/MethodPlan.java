package dev.cleave.agent.plan;

import java.util.List;

/** What to do with one method, and why; indices are those of the body as it was when planned. */
public record MethodPlan(
        List<LoopPlan> loops, List<GroupPlan> groups, List<PrefetchPlan> prefetches, List<Verdict> verdicts) {

    public MethodPlan {
        loops = List.copyOf(loops);
        groups = List.copyOf(groups);
        prefetches = List.copyOf(prefetches);
        verdicts = List.copyOf(verdicts);
    }

    /** Whether the method stays as it is. */
    public boolean isEmpty() {
        return loops.isEmpty() && groups.isEmpty() && prefetches.isEmpty();
    }
}
