package dev.cleave.agent.transform;

import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.GroupPlan;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.placement.PrefetchPlan;
import dev.cleave.agent.plan.placement.SinkPlan;
import dev.cleave.agent.plan.placement.StraightLinePrefetchPlan;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StreamPlan;
import java.util.List;
import java.util.function.BiFunction;

/** Writes the placements of one kind, or what the callers of a method ask of it, into its body. */
interface PlacementWriter {

    /** Every kind of placement with what writes it, in the order in which they are written and settled. */
    List<Kind<?>> KINDS = List.of(
            new Kind<>(SinkPlan.class, Editing::await),
            new Kind<>(GroupPlan.class, GroupWriter::of),
            new Kind<>(LoopPlan.class, each(LoopWriter::new)),
            new Kind<>(StrandPlan.class, each(StrandWriter::new)),
            new Kind<>(StreamPlan.class, each(StreamWriter::new)),
            new Kind<>(PrefetchPlan.class, PrefetchWriter::of),
            new Kind<>(StraightLinePrefetchPlan.class, StraightLinePrefetchWriter::of));

    /** Writes sends and claims. */
    void write();

    /** Writes what happens when exceptions leave the code, once everything else is written. */
    void settle();

    /**
     * A kind of placement.
     *
     * @param type its class
     * @param writer makes what writes all placements of the kind in a body, which may be none
     */
    record Kind<P extends CallPlacement>(Class<P> type, BiFunction<Editing, List<P>, PlacementWriter> writer) {

        /** Prepares to write those of some placements that are of the kind. */
        PlacementWriter of(Editing editing, List<CallPlacement> placements) {
            return writer.apply(
                    editing,
                    placements.stream().filter(type::isInstance).map(type::cast).toList());
        }
    }

    /** Writes placements one after the other, each by itself. */
    static <P> BiFunction<Editing, List<P>, PlacementWriter> each(
            BiFunction<Editing, P, ? extends PlacementWriter> writer) {
        return (editing, placements) -> all(placements.stream()
                .map(placement -> writer.apply(editing, placement))
                .toList());
    }

    /** Writes by several writers in turn. */
    static PlacementWriter all(List<? extends PlacementWriter> writers) {
        return new PlacementWriter() {
            @Override
            public void write() {
                writers.forEach(PlacementWriter::write);
            }

            @Override
            public void settle() {
                writers.forEach(PlacementWriter::settle);
            }
        };
    }
}
