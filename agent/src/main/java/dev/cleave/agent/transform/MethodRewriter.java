package dev.cleave.agent.transform;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.MethodPlan;
import java.util.List;

/** Edits a body as its plan says. */
final class MethodRewriter {

    private MethodRewriter() {}

    static void rewrite(MethodBody body, MethodPlan plan) {
        Editing editing = new Editing(body, plan.helpers());
        Places places = new Places(editing, plan.sinks());
        List<GroupWriter> groups = plan.groups().stream()
                .map(group -> new GroupWriter(editing, group, places))
                .toList();
        List<LoopWriter> loops =
                plan.loops().stream().map(loop -> new LoopWriter(editing, loop)).toList();
        List<StreamWriter> streams = plan.streams().stream()
                .map(stream -> new StreamWriter(editing, stream))
                .toList();
        LoopEdges edges = new LoopEdges(editing);
        List<PrefetchWriter> prefetches = plan.prefetches().stream()
                .map(prefetch -> new PrefetchWriter(editing, edges, prefetch))
                .toList();
        List<StretchWriter> stretches = plan.stretches().stream()
                .map(stretch -> new StretchWriter(editing, stretch))
                .toList();
        places.writeAwaits();
        groups.forEach(GroupWriter::write);
        places.writeOthers();
        streams.forEach(StreamWriter::write);
        loops.forEach(LoopWriter::write);
        prefetches.forEach(PrefetchWriter::write);
        stretches.forEach(StretchWriter::write);
        places.settle();
        groups.forEach(GroupWriter::settle);
        loops.forEach(LoopWriter::settle);
        streams.forEach(StreamWriter::settle);
        prefetches.forEach(PrefetchWriter::settle);
        StretchWriter.settle(editing, stretches);
        editing.passages().finish();
    }

    /** Makes a method a helper. */
    static void rewrite(MethodBody body, Helper helper) {
        Editing editing = new Editing(body, helper.called());
        new HelperWriter(editing, helper).write();
        editing.passages().finish();
    }
}
