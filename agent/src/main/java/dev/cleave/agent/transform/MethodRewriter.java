package dev.cleave.agent.transform;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.MethodPlan;
import dev.cleave.agent.plan.PrefetchHelper;
import dev.cleave.agent.plan.StrandHelper;
import dev.cleave.agent.plan.StrandPlan;
import dev.cleave.agent.scan.ClassHierarchy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Edits a body as its plan says. */
final class MethodRewriter {

    private MethodRewriter() {}

    /**
     * Edits a body.
     *
     * @param split how the method is a helper, null if it is none; if it calls others, what was planned for it as a method is left out
     * @param ahead how its calls are prefetched by its callers, null if they are not
     * @param rows how its calls are sent by strands of its callers, null if they are not
     * @param contracts what it offers to callers of other classes
     * @param hierarchy knows the classes that the method names
     * @throws Unsupported if a strand of it cannot be written
     */
    static void rewrite(
            MethodBody body,
            MethodPlan plan,
            @Nullable Helper split,
            @Nullable PrefetchHelper ahead,
            @Nullable StrandHelper rows,
            Set<String> contracts,
            ClassHierarchy hierarchy)
            throws Unsupported {
        Set<LabelOp> targetsAsWritten =
                body.handlers().stream().map(Handler::target).collect(Collectors.toSet());
        HeldLocks locks = new HeldLocks(body);
        boolean isPlain = split == null || split.called().isEmpty();
        Editing editing = new Editing(body, split == null || isPlain ? plan.helpers() : split.called());
        PrefetchHelperWriter prefetching = ahead == null ? null : new PrefetchHelperWriter(editing, ahead);
        if (prefetching != null) {
            editing.claimFirst(prefetching);
        }
        HelperWriter helper = split == null ? null : new HelperWriter(editing, split);
        if (helper != null) {
            editing.takeFirst(helper);
        }
        StrandHelperWriter nested = rows == null ? null : new StrandHelperWriter(editing, rows);
        if (nested != null) {
            editing.takeFirst(nested);
        }
        write(editing, isPlain ? plan : MethodPlan.NOTHING, helper, prefetching, hierarchy);
        if (nested != null) {
            nested.write();
        }
        if (helper != null || prefetching != null || nested != null) {
            String key = Helper.key(body.owner(), body.original().name, body.original().desc);
            new HelperEntry(editing).write(key, contracts, helper, prefetching, nested);
        }
        editing.passages().finish();
        locks.cover();
        giveLines(body, targetsAsWritten);
    }

    /**
     * Gives handlers that we have added the line of what they watch. They stand behind the code of the method, and would
     * have its last line: a debugger would stop there, where the program never was.
     */
    private static void giveLines(MethodBody body, Set<LabelOp> targetsAsWritten) {
        Map<LabelOp, Integer> lines = new LinkedHashMap<>();
        for (Handler handler : body.handlers()) {
            if (!targetsAsWritten.contains(handler.target())) {
                lines.putIfAbsent(handler.target(), body.lineOf(firstIn(body, handler)));
            }
        }
        lines.forEach((target, line) -> {
            if (!(body.ops().get(body.indexOf(target) + 1) instanceof LineOp)) {
                body.insertAfter(target, LineOp.of(line));
            }
        });
    }

    private static Op firstIn(MethodBody body, Handler handler) {
        int at = body.indexOf(handler.start());
        while (at < body.indexOf(handler.end()) && !body.ops().get(at).isExecutable()) {
            at++;
        }
        return body.ops().get(at);
    }

    private static void write(
            Editing editing,
            MethodPlan plan,
            @Nullable HelperWriter split,
            @Nullable PrefetchHelperWriter ahead,
            ClassHierarchy hierarchy)
            throws Unsupported {
        CallSiteWriter places = new CallSiteWriter(editing, plan.sinks());
        List<GroupWriter> groups = plan.groups().stream()
                .map(group -> new GroupWriter(editing, group, places))
                .toList();
        List<LoopWriter> loops =
                plan.loops().stream().map(loop -> new LoopWriter(editing, loop)).toList();
        List<StrandWriter> nests = new ArrayList<>();
        for (StrandPlan nest : plan.strands()) {
            nests.add(new StrandWriter(editing, nest, hierarchy));
        }
        List<StreamWriter> streams = plan.streams().stream()
                .map(stream -> new StreamWriter(editing, stream))
                .toList();
        LoopEdges edges = new LoopEdges(editing);
        List<PrefetchWriter> prefetches = plan.prefetches().stream()
                .map(prefetch -> new PrefetchWriter(editing, edges, prefetch))
                .toList();
        List<StraightLinePrefetchWriter> stretches = plan.stretches().stream()
                .map(stretch -> new StraightLinePrefetchWriter(editing, stretch))
                .toList();
        places.writeAwaits();
        groups.forEach(GroupWriter::write);
        places.writeOthers();
        streams.forEach(StreamWriter::write);
        loops.forEach(LoopWriter::write);
        nests.forEach(StrandWriter::write);
        prefetches.forEach(PrefetchWriter::write);
        stretches.forEach(StraightLinePrefetchWriter::write);
        if (split != null) {
            split.write();
        }
        if (ahead != null) {
            ahead.write();
        }
        places.settle();
        if (split != null) {
            split.settle();
        }
        groups.forEach(group -> group.settle(groups));
        loops.forEach(LoopWriter::settle);
        nests.forEach(StrandWriter::settle);
        streams.forEach(StreamWriter::settle);
        prefetches.forEach(PrefetchWriter::settle);
        StraightLinePrefetchWriter.settle(editing, stretches);
    }
}
