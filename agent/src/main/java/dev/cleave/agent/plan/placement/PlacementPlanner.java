package dev.cleave.agent.plan.placement;

/** Plans one kind of placement for a method. */
@FunctionalInterface
public interface PlacementPlanner {

    /**
     * Adds its placements to a draft, and why it does not place other calls. What planners before it have placed stays as
     * it is.
     */
    void plan(MethodDraft draft);
}
