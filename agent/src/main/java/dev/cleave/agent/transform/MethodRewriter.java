package dev.cleave.agent.transform;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.MethodPlan;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.StrandHelper;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.scan.ClassHierarchy;
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
     * @param split how the method is a helper, null if it is none; if it calls others, what was planned for it as a
     *     method is left out
     * @param ahead how its calls are prefetched by its callers, null if they are not
     * @param rows how its calls are sent by strands of its callers, null if they are not
     * @param contracts what it offers to callers of other classes
     * @param hierarchy knows the classes that the method names
     */
    static void rewrite(
            MethodBody body,
            MethodPlan plan,
            @Nullable Helper split,
            @Nullable PrefetchHelper ahead,
            @Nullable StrandHelper rows,
            Set<String> contracts,
            ClassHierarchy hierarchy) {
        Set<LabelOp> targetsAsWritten =
                body.handlers().stream().map(Handler::target).collect(Collectors.toSet());
        HeldLocks locks = new HeldLocks(body);
        boolean isPlain = split == null || split.called().isEmpty();
        Editing editing = new Editing(body, split == null || isPlain ? plan.helpers() : split.called(), hierarchy);
        PrefetchHelperWriter prefetching = ahead == null ? null : new PrefetchHelperWriter(editing, ahead);
        if (prefetching != null) {
            editing.takeFirst(prefetching);
        }
        HelperWriter helper = split == null ? null : new HelperWriter(editing, split);
        if (helper != null) {
            editing.takeFirst(helper);
        }
        StrandHelperWriter nested = rows == null ? null : new StrandHelperWriter(editing, rows);
        if (nested != null) {
            editing.takeFirst(nested);
        }
        boolean isHanded = helper != null || prefetching != null || nested != null; // and is handed nothing else
        List<CallPlacement> placements = isPlain ? plan.placements() : List.of();
        write(
                editing,
                placements.stream()
                        .filter(placement ->
                                !isHanded || !(placement instanceof StrandPlan strands) || strands.recursion() == null)
                        .toList(),
                helper,
                prefetching);
        if (nested != null) {
            nested.write();
        }
        if (isHanded) {
            String key = Helper.key(body.owner(), body.original().name, body.original().desc);
            new HelperEntry(editing).write(key, contracts, helper, prefetching, nested);
        }
        ReferenceWriter.write(editing, editing.passages().functions());
        editing.passages().finish();
        locks.cover();
        giveLines(body, targetsAsWritten);
    }

    /**
     * Gives handlers that we have added the line of what they watch. They stand behind the code of the method, and
     * would have its last line: a debugger would stop there, where the program never was.
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
            List<CallPlacement> placements,
            @Nullable HelperWriter split,
            @Nullable PrefetchHelperWriter ahead) {
        List<PlacementWriter> writers = PlacementWriters.of(editing, placements);
        writers.forEach(PlacementWriter::write);
        if (split != null) {
            split.write();
            writers.add(1, split); // behind the landing pads of awaits, which know handlers as they were
        }
        if (ahead != null) {
            ahead.write();
        }
        writers.forEach(PlacementWriter::settle);
    }
}
