package dev.cleave.agent.plan.placement;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Calls of a row that are made ahead at one place and claimed at their own (Group H).
 *
 * @param start the op in front of which they are sent; if it is a label, behind it; -1 for the start of the method
 * @param slices the slices that send them, one for each call
 * @param reads the remote calls, in the order of the slices
 * @param stale the ops in front of which results may become stale (R61); empty if that does not matter
 * @param remote the remote calls among {@code stale}: they are unknown code only if the receiver is no stub
 * @param guards the tests after which an op does not make results stale, by op; an op without guards always does
 * @param behind the ops that may run once they were sent
 */
public record StraightLinePrefetchPlan(
        int start,
        List<SendSlice> slices,
        List<ReadCall> reads,
        List<Integer> stale,
        BitSet remote,
        Map<Integer, List<Guard>> guards,
        BitSet behind)
        implements CallPlacement {

    /** Copies its components. */
    public StraightLinePrefetchPlan {
        slices = List.copyOf(slices);
        reads = List.copyOf(reads);
        stale = List.copyOf(stale);
    }

    /** The calls, in the order of the slices. */
    @Override
    public List<Integer> calls() {
        List<Integer> sends = new ArrayList<>();
        slices.forEach(slice -> sends.addAll(slice.sends()));
        return sends;
    }

    @Override
    public Verdict.Outcome outcome(int call) {
        return Verdict.Outcome.PREFETCHED;
    }

    @Override
    public int window() {
        return calls().size();
    }

    /** Returns no ops, as no other planner of straight-line code comes later. */
    @Override
    public BitSet closed() {
        return new BitSet();
    }
}
