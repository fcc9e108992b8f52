package dev.cleave.agent.plan;

import dev.cleave.agent.plan.line.GroupPlanner;
import dev.cleave.agent.plan.loop.NestPlanner;
import dev.cleave.agent.plan.placement.PlacementPlanner;
import dev.cleave.agent.plan.prefetch.PrefetchLoopPlanner;
import dev.cleave.agent.plan.prefetch.StraightLinePrefetchPlanner;
import dev.cleave.agent.plan.sink.SinkPlanner;
import dev.cleave.agent.plan.stream.StreamPlanner;
import java.util.List;

/** All planners of a method. */
final class Planners {

    /** The planners in the order in which they plan: what an early one places is closed to those behind it. */
    static final List<PlacementPlanner> ALL = List.of(
            draft -> NestPlanner.plan(draft, draft.method()),
            PrefetchLoopPlanner::plan,
            draft -> GroupPlanner.plan(draft, draft.method()),
            draft -> NestPlanner.plan(draft, draft.chained()),
            draft -> GroupPlanner.plan(draft, draft.chained()),
            SinkPlanner::plan,
            StraightLinePrefetchPlanner::plan,
            StreamPlanner::plan);

    private Planners() {}
}
