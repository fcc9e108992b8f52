package dev.cleave.agent.transform;

import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.GroupPlan;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.placement.PrefetchPlan;
import dev.cleave.agent.plan.placement.SinkPlan;
import dev.cleave.agent.plan.placement.StraightLinePrefetchPlan;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StreamPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The writers of the placements of a method, one for each kind. */
final class PlacementWriters {

    private final List<CallPlacement> placements;
    private final List<PlacementWriter> writers = new ArrayList<>();

    private PlacementWriters(List<CallPlacement> placements) {
        this.placements = placements;
    }

    /**
     * The writers of all kinds of placement, in the order in which they write and settle; that of awaits comes first.
     */
    static List<PlacementWriter> of(Editing editing, List<CallPlacement> placements) {
        PlacementWriters all = new PlacementWriters(placements);
        CallSiteWriter calls = new CallSiteWriter(editing, all.placed(SinkPlan.class));
        LoopEdges edges = new LoopEdges(editing);
        all.writers.add(calls);
        all.writers.add(GroupWriter.of(editing, calls, all.placed(GroupPlan.class)));
        all.each(LoopPlan.class, plan -> new LoopWriter(editing, plan));
        all.each(
                StrandPlan.class,
                plan -> plan.recursion() == null
                        ? new StrandWriter(editing, plan)
                        : new RecursionWriter(editing, plan, plan.recursion()));
        all.each(StreamPlan.class, plan -> new StreamWriter(editing, plan));
        all.each(PrefetchPlan.class, plan -> new PrefetchWriter(editing, edges, plan));
        all.writers.add(StraightLinePrefetchWriter.of(editing, all.placed(StraightLinePrefetchPlan.class)));
        return all.writers;
    }

    private <P extends CallPlacement> List<P> placed(Class<P> kind) {
        return placements.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private <P extends CallPlacement> void each(Class<P> kind, Function<P, PlacementWriter> writer) {
        placed(kind).stream().map(writer).forEach(writers::add);
    }
}
