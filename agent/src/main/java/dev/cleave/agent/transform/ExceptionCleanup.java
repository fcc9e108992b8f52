package dev.cleave.agent.transform;

import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ThrowOp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts code between an exception and the handlers that it leaves for. The code discards the calls that were sent and
 * that the program does not reach any more, before any code of the program runs (R20, R36).
 *
 * <p>Each distinct list of handlers gets a catch-any of its own in front of them, which rethrows from under the same
 * handlers. What that code throws itself goes to these, too.
 */
final class ExceptionCleanup {

    private final MethodBody body;
    private final Set<Op> covered;
    private final Set<LabelOp> inside;
    private final Map<List<Way>, Target> targets = new LinkedHashMap<>();

    /** Where an exception of a type goes. */
    private record Way(LabelOp target, @Nullable String type) {}

    private record Target(LabelOp label, List<Handler> leaving, int line) {}

    private record Run(Op first, Op last, List<Handler> leaving) {}

    /**
     * Prepares the cleanup.
     *
     * @param covered the ops whose exceptions count; ops between two of them in the list do not matter
     * @param inside handlers that do not leave
     */
    ExceptionCleanup(MethodBody body, Set<Op> covered, Set<LabelOp> inside) {
        this.body = body;
        this.covered = covered;
        this.inside = inside;
    }

    /** Adds a handler from one label to another that catches all exceptions before the handlers that are there. */
    static void leave(MethodBody body, LabelOp start, LabelOp end, LabelOp to) {
        LabelOp failed = body.label();
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(to)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
    }

    /** Adds the handlers; {@code giveUp} makes the code anew for each of them. */
    void add(Supplier<List<Op>> giveUp) {
        add(leaving -> giveUp.get());
    }

    /**
     * Adds the handlers; {@code giveUp} makes the code anew for each of them, given the handlers that it leaves for.
     */
    void add(Function<List<Handler>, List<Op>> giveUp) {
        for (Run run : runs()) {
            LabelOp start = body.label();
            LabelOp end = body.label();
            body.insertBefore(run.first(), List.of(start));
            body.insertAfter(run.last(), List.of(end));
            List<Way> ways = run.leaving().stream()
                    .map(handler -> new Way(handler.target(), handler.type()))
                    .toList();
            int line = body.lineOf(run.first());
            LabelOp target = targets.computeIfAbsent(ways, key -> new Target(body.label(), run.leaving(), line))
                    .label();
            List<Handler> table = new ArrayList<>(body.handlers());
            int index = run.leaving().isEmpty()
                    ? table.size()
                    : table.indexOf(run.leaving().get(0));
            table.add(index, new Handler(start, end, target, null));
            body.setHandlers(table);
        }
        for (Target target : targets.values()) {
            appendTarget(target, giveUp.apply(target.leaving()));
        }
    }

    private void appendTarget(Target target, List<Op> giveUp) {
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        LabelOp start = body.label();
        LabelOp end = body.label();
        List<Op> ops = new ArrayList<>(List.of(target.label()));
        ops.addAll(LineOp.of(target.line()));
        ops.addAll(List.of(new CatchOp(thrown), start));
        ops.addAll(giveUp);
        ops.addAll(List.of(new ThrowOp(thrown), end));
        body.append(ops);
        List<Handler> table = new ArrayList<>();
        for (Handler handler : body.handlers()) {
            table.add(handler);
            if (target.leaving().contains(handler)) {
                table.add(new Handler(start, end, handler.target(), handler.type()));
            }
        }
        body.setHandlers(table);
    }

    private List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        Op first = null;
        Op last = null;
        List<Handler> current = List.of();
        for (Op op : body.ops()) {
            if (!op.mayThrow()) {
                continue;
            }
            List<Handler> leaving = covered.contains(op) ? leaving(op) : null;
            if (first != null && last != null && (leaving == null || !leaving.equals(current))) {
                runs.add(new Run(first, last, current));
                first = null;
            }
            if (leaving != null) {
                first = first == null ? op : first;
                last = op;
                current = leaving;
            }
        }
        if (first != null && last != null) {
            runs.add(new Run(first, last, current));
        }
        return runs;
    }

    private List<Handler> leaving(Op op) {
        List<Handler> leaving = new ArrayList<>(body.handlersOf(op));
        leaving.removeIf(handler -> inside.contains(handler.target()));
        return leaving;
    }
}
