package dev.cleave.agent.plan.placement;

import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A method while it is planned: its graph, what planners have placed so far, and what they have refused. */
public final class MethodDraft {

    private final Method method;
    private final Method chained;
    private final Method referring;
    private final Method restoring;
    private final ControlFlowGraph blocks;
    private final Dominators dominators;
    private final LoopNest nest;
    private final List<CallPlacement> placements = new ArrayList<>();
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final List<Verdict> verdicts = new ArrayList<>();

    /**
     * Begins with nothing placed.
     *
     * @param method to place calls of all styles but {@code CHAINED}
     * @param chained the same method, to place chained calls
     * @param referring the same method, to place calls that are given references with others
     * @param restoring the same method, to place calls that change arguments with others; {@code method} if it has none
     */
    public MethodDraft(Method method, Method chained, Method referring, Method restoring) {
        this.method = method;
        this.chained = chained;
        this.referring = referring;
        this.restoring = restoring;
        this.blocks = ControlFlowGraph.of(method.graph().body());
        this.dominators = Dominators.of(blocks);
        this.nest = LoopNest.of(blocks, dominators);
    }

    /** Returns the method, in which chained calls are barriers. */
    public Method method() {
        return method;
    }

    /** Returns the method, in which all calls but chained ones are barriers. */
    public Method chained() {
        return chained;
    }

    /** Returns the method, in which calls that are given references can be placed beside those that may move. */
    public Method referring() {
        return referring;
    }

    /** Returns the method, in which calls that change arguments can be placed beside those that may move. */
    public Method restoring() {
        return restoring;
    }

    /** Returns the blocks of the method. */
    public ControlFlowGraph blocks() {
        return blocks;
    }

    /** Returns the dominators of the blocks. */
    public Dominators dominators() {
        return dominators;
    }

    /** Returns the loops of the method. */
    public LoopNest nest() {
        return nest;
    }

    /** Adds a placement. */
    public void add(CallPlacement placement) {
        placements.add(placement);
    }

    /** Puts a placement in the place of others. */
    public void replace(Collection<? extends CallPlacement> others, CallPlacement placement) {
        placements.removeAll(others);
        placements.add(placement);
    }

    /** Notes why calls are not placed; replaces earlier notes on them. */
    public void refuse(Map<Integer, Refusal> why) {
        refusals.putAll(why);
    }

    /** Notes why calls are not placed, for calls without an earlier note. */
    public void refuseOthers(Map<Integer, Refusal> why) {
        why.forEach(refusals::putIfAbsent);
    }

    /** Adds a verdict on a place that is no call of the method itself, such as a reference to a remote method. */
    public void add(Verdict verdict) {
        verdicts.add(verdict);
    }

    /** Returns all placements, in the order of the planners. */
    public List<CallPlacement> placements() {
        return placements;
    }

    /** Returns the placements of one kind. */
    public <P extends CallPlacement> List<P> placed(Class<P> kind) {
        return placements.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Returns why calls are not placed, by call. */
    public Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** Returns the verdicts on places that are no calls of the method itself. */
    public List<Verdict> verdicts() {
        return verdicts;
    }

    /** Returns the ops of the loops that are planned. */
    public BitSet loops() {
        return union(CallPlacement::loop);
    }

    /** Returns the ops between which nothing more may be sent. */
    public BitSet closed() {
        return union(CallPlacement::closed);
    }

    private BitSet union(Function<CallPlacement, BitSet> ops) {
        BitSet all = new BitSet();
        placements.forEach(placement -> all.or(ops.apply(placement)));
        return all;
    }
}
