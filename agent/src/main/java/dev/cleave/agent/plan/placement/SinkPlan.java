package dev.cleave.agent.plan.placement;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * A call whose await moves down (Group C): sent at its place, awaited where its paths come to something that must not
 * happen before.
 *
 * @param call index of the call
 * @param glued the ops right behind it that only move, cast or unbox its result, and move with the await (R16)
 * @param region the ops that may run while the call is in flight
 * @param crossed the calls of that region; each is sent at its place if it was not sent before
 * @param awaits the ops in front of which the await stands, none of them a label
 * @param tests what must hold in front of ops of the region; the await comes first if it does not
 */
public record SinkPlan(
        int call,
        List<Integer> glued,
        BitSet region,
        List<Integer> crossed,
        List<Integer> awaits,
        Map<Integer, List<Guard>> tests)
        implements CallPlacement {

    @Override
    public List<Integer> calls() {
        return List.of(call);
    }

    @Override
    public Verdict.Outcome outcome(int sent) {
        return Verdict.Outcome.SPLIT;
    }

    @Override
    public int window() {
        return 1;
    }

    @Override
    public BitSet closed() {
        BitSet closed = (BitSet) region.clone();
        closed.set(call);
        glued.forEach(closed::set);
        return closed;
    }
}
