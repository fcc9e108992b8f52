package dev.cleave.agent.plan.placement;

import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.PipelinedResult;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A loop that sends ahead (R35).
 *
 * @param region the loop, for one pass through it
 * @param stages the slices that run ahead, each behind the ones whose results it looks at (R44)
 * @param steps the headers at which the run-ahead may stop and go on: that of the loop, then those of the loops in it
 *     that
 *     hold calls (R40)
 * @param window the most calls in flight
 * @param skips for the entry of each handler in the loop, the calls that the rest of the step then leaves out, as
 *     positions in {@link #sends()} (R41)
 * @param leavesOut whether the program may go past calls that were sent though nothing is thrown (R37)
 * @param passed for each call that is given results of others (R50), by parameter, which
 * @param changed for each call that changes arrays of its caller (R75), the parameters that are given them
 * @param chaining whether the calls are a chain (R49)
 */
public record LoopPlan(
        Region region,
        List<SendSlice> stages,
        List<Integer> steps,
        int window,
        Map<Integer, List<Integer>> skips,
        boolean leavesOut,
        Map<Integer, Map<Integer, PipelinedResult>> passed,
        Map<Integer, List<Integer>> changed,
        Chaining chaining)
        implements CallPlacement {

    public LoopPlan {
        stages = List.copyOf(stages);
        steps = List.copyOf(steps);
        skips = InOrder.copyOf(skips);
        passed = InOrder.copyOf(passed);
        changed = InOrder.copyOf(changed);
    }

    /** The calls that are in the chain of the loop. */
    public Set<Integer> chain() {
        Set<Integer> chain = new TreeSet<>(isChained() ? sends() : List.of());
        passed.forEach((call, results) -> {
            chain.add(call);
            results.values().forEach(result -> chain.add(result.source()));
        });
        return chain;
    }

    /** Whether the calls are a chain. */
    private boolean isChained() {
        return chaining != Chaining.NONE;
    }

    /** Whether results of calls go to other calls, or calls of several servers keep their order: then servers tell each other. */
    public boolean isDependent() {
        return !passed.isEmpty() || chaining == Chaining.OF_SEVERAL_STUBS;
    }

    @Override
    public List<Integer> calls() {
        return sends();
    }

    @Override
    public Verdict.Outcome outcome(int call) {
        Verdict.Outcome outcome = isChained() ? Verdict.Outcome.CHAINED : Verdict.Outcome.PIPELINED;
        return passed.containsKey(call) ? Verdict.Outcome.PROMISED : outcome;
    }

    @Override
    public BitSet closed() {
        return region.ops();
    }

    @Override
    public BitSet loop() {
        return region.ops();
    }

    /** All calls that are sent ahead, by stages. */
    public List<Integer> sends() {
        List<Integer> sends = new ArrayList<>();
        stages.forEach(stage -> sends.addAll(stage.sends()));
        return sends;
    }

    /** Returns the tests at the entry; nothing is sent ahead if one does not hold. */
    public List<EntryTest> tests() {
        return stages.stream()
                .flatMap(stage -> stage.tests().stream())
                .distinct()
                .toList();
    }
}
