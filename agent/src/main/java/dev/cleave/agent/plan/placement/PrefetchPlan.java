package dev.cleave.agent.plan.placement;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.method.Positions;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Calls that are made ahead and claimed at their places (Group H).
 *
 * @param loop all ops of the loop
 * @param slice the code that runs ahead; its region is the loop as it runs if all guesses are right and nothing is
 *     thrown
 * @param reads the remote calls, those of helpers included, in the order of the slice's sends
 * @param helpers the helpers that sends of the slice call, by send; helpers claim their calls themselves
 * @param window the most calls in flight
 * @param guesses whether going on is a guess: then nothing is sent before the second pass
 * @param stale the ops in front of which results may become stale (R61); empty if that does not matter
 * @param remote the remote calls among {@code stale}: they are unknown code only if the receiver is no stub
 * @param guards the tests after which an op does not make results stale, by op; an op without guards always does
 */
public record PrefetchPlan(
        BitSet loop,
        SendSlice slice,
        List<ReadCall> reads,
        Map<Integer, PrefetchHelper> helpers,
        int window,
        boolean guesses,
        List<Integer> stale,
        BitSet remote,
        Map<Integer, List<Guard>> guards)
        implements CallPlacement {

    /** Copies its components. */
    public PrefetchPlan {
        reads = List.copyOf(reads);
        helpers = InOrder.copyOf(helpers);
        stale = List.copyOf(stale);
    }

    @Override
    public List<Integer> calls() {
        return slice.sends();
    }

    @Override
    public Verdict.Outcome outcome(int call) {
        return Verdict.Outcome.PREFETCHED;
    }

    @Override
    public BitSet closed() {
        BitSet closed = new BitSet();
        slice.sends().forEach(closed::set);
        return closed;
    }

    @Override
    public Collection<PrefetchHelper> prefetched() {
        return helpers.values();
    }

    /** Where the calls of a send are among {@link #reads}: the place of the first of them. */
    public int position(int send) {
        return Positions.of(slice, helpers, send);
    }
}
