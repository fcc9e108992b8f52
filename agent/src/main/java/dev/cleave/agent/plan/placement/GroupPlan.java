package dev.cleave.agent.plan.placement;

import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.PromisePipelining;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Calls that are sent together (Groups B and D): behind the send of the first, copies of slices send the others.
 *
 * @param leader index of the first call
 * @param parts the slices that send the others, one after the other; their region is the code behind the leader
 * @param abandonments where the program takes a way that does not lead to a call that was sent
 * @param passed for each call that is given results of others (R50), by parameter, the calls whose results they are
 * @param staying for each call whose result is for nothing but calls that are given it: for how many arguments
 * @param chaining whether the calls are a chain (R49)
 */
public record GroupPlan(
        int leader,
        List<Part> parts,
        List<Abandonment> abandonments,
        Map<Integer, Map<Integer, Integer>> passed,
        Map<Integer, Integer> staying,
        Chaining chaining)
        implements CallPlacement {

    /**
     * A slice of a group.
     *
     * @param assumed branches that the slice does not decide but takes for granted (T2), each with the place that it
     *     goes
     *     to; empty for a slice that sends only what the program will come to
     */
    public record Part(SendSlice slice, Map<Integer, Integer> assumed) {

        public Part {
            assumed = InOrder.copyOf(assumed);
        }
    }

    /**
     * An edge from which some calls cannot be reached.
     *
     * @param branch index of the op that control comes from
     * @param to index of the op that it goes to
     * @param sends indices of the calls
     */
    public record Abandonment(int branch, int to, List<Integer> sends) {

        public Abandonment {
            sends = List.copyOf(sends);
        }
    }

    public GroupPlan {
        parts = List.copyOf(parts);
        abandonments = List.copyOf(abandonments);
        passed = Collections.unmodifiableMap(new TreeMap<>(passed));
        staying = InOrder.copyOf(staying);
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
        List<Integer> calls = sends();
        calls.add(leader);
        return calls;
    }

    @Override
    public Verdict.Outcome outcome(int call) {
        Verdict.Outcome outcome = isChained() ? Verdict.Outcome.CHAINED : Verdict.Outcome.SPLIT;
        return passed.containsKey(call) ? Verdict.Outcome.PROMISED : outcome;
    }

    @Override
    public int window() {
        return isChained() ? calls().size() : 1;
    }

    @Override
    public BitSet closed() {
        BitSet closed = new BitSet();
        calls().forEach(closed::set);
        return closed;
    }

    /** The calls that are in chains: each with the first of its chain. */
    public Map<Integer, Integer> chains() {
        Map<Integer, Integer> chains = new HashMap<>(PromisePipelining.chains(passed));
        if (isChained()) {
            chains.put(leader, leader);
            sends().forEach(send -> chains.put(send, leader));
        }
        return chains;
    }

    /** The code behind the leader. */
    public Region region() {
        return parts.get(0).slice().region();
    }

    /** The calls that are sent behind the leader. */
    public List<Integer> sends() {
        List<Integer> sends = new ArrayList<>();
        parts.forEach(part -> sends.addAll(part.slice().sends()));
        return sends;
    }
}
