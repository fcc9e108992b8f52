package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ThrowOp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;

/**
 * Landing pads: what happens when something throws while calls are in flight that the program has passed (R18, R20,
 * R21).
 *
 * <p>The calls that stand before what threw are awaited in the order of the program, and the first of them that failed
 * wins; those behind it were never reached and are discarded. Then, under the same handlers as before, the exception
 * goes on. Each list of handlers has one pad; each place of a throw enters it with its position among the calls:
 *
 * <pre>{@code
 * entry i:  thrown = catch; position = i; goto pad
 * pad:      for each call k, from the last on, while position < k: withdraw it, if it is in flight
 *           for each call k in order, if it is in flight:
 *               position < k ? discard it : await it; what that throws: thrown = catch; position = k; goto pad
 *           throw thrown
 * }</pre>
 */
final class Landing {

    private final MethodBody body;
    private final List<List<Handler>> handlersOfCalls;
    private final Map<Entry, LabelOp> entries = new LinkedHashMap<>();
    private final Map<Entry, Integer> lines = new LinkedHashMap<>();

    private record Entry(List<Handler> leaving, int position) {}

    private record Run(Op first, Op last, Entry entry) {}

    /**
     * Prepares it.
     *
     * @param handlersOfCalls the handlers around each call, in the order of the program
     */
    Landing(MethodBody body, List<List<Handler>> handlersOfCalls) {
        this.body = body;
        this.handlersOfCalls = handlersOfCalls;
    }

    /**
     * Writes the pads.
     *
     * @param covered the ops whose exceptions count, each with its position among the calls
     * @param await awaits a call that is in flight
     * @param pending the registers that hold what is in flight
     */
    void write(Map<Op, Integer> covered, IntFunction<List<Op>> await, RtOps rt, List<Register> pending) {
        for (Run run : runs(covered)) {
            LabelOp start = body.label();
            LabelOp end = body.label();
            body.insertBefore(run.first(), List.of(start));
            body.insertAfter(run.last(), List.of(end));
            LabelOp target = entries.computeIfAbsent(run.entry(), entry -> body.label());
            lines.putIfAbsent(run.entry(), body.lineOf(run.first()));
            addInFront(run.entry().leaving(), new Handler(start, end, target, null));
        }
        Map<List<Handler>, Pad> pads = new LinkedHashMap<>();
        entries.forEach((entry, label) -> {
            Pad pad = pads.computeIfAbsent(entry.leaving(), leaving -> new Pad(body));
            Register caught = body.fresh(RegisterKind.REFERENCE);
            pad.line = lines.getOrDefault(entry, -1);
            body.append(List.of(label));
            body.append(LineOp.of(pad.line));
            body.append(List.of(
                    new CatchOp(caught),
                    new MoveOp(pad.thrown, caught),
                    new ConstOp(pad.position, entry.position()),
                    new GotoOp(pad.label)));
        });
        pads.forEach((leaving, pad) -> write(leaving, pad, await, rt, pending));
    }

    /** Returns the handles of calls that a landing pad discards when an exception enters it by these handlers. */
    List<Register> behind(List<Handler> handlers, List<Register> pending) {
        Set<LabelOp> targets = handlers.stream().map(Handler::target).collect(Collectors.toSet());
        List<Register> behind = new ArrayList<>();
        entries.forEach((entry, label) -> {
            if (targets.contains(label)) {
                for (int i = 0; i < pending.size(); i++) {
                    if (i > entry.position() && handlersOfCalls.get(i).equals(entry.leaving())) {
                        behind.add(pending.get(i));
                    }
                }
            }
        });
        return behind;
    }

    private void write(List<Handler> leaving, Pad pad, IntFunction<List<Op>> await, RtOps rt, List<Register> pending) {
        List<Op> ops = new ArrayList<>(List.of(pad.label));
        ops.addAll(LineOp.of(pad.line));
        List<Op> catches = new ArrayList<>();
        List<Handler> own = new ArrayList<>();
        List<Integer> calls = IntStream.range(0, pending.size())
                .filter(i -> handlersOfCalls.get(i).equals(leaving))
                .boxed()
                .toList();
        ops.addAll(withdraw(calls, pad, rt, pending));
        for (int i : calls) {
            LabelOp behind = body.label();
            LabelOp late = body.label();
            LabelOp start = body.label();
            LabelOp end = body.label();
            LabelOp failed = body.label();
            Register number = body.fresh(RegisterKind.INT);
            Register caught = body.fresh(RegisterKind.REFERENCE);
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(pending.get(i)), behind));
            ops.add(new ConstOp(number, i));
            ops.add(new BranchOp(Opcodes.IF_ICMPLT, List.of(pad.position, number), late));
            ops.add(start);
            ops.addAll(await.apply(i));
            ops.add(end);
            ops.add(new GotoOp(behind));
            ops.add(late);
            ops.addAll(LineOp.of(pad.line));
            ops.addAll(rt.discard(pending.get(i)));
            ops.add(behind);
            ops.addAll(LineOp.of(pad.line)); // an await has the line of its call
            catches.addAll(List.of(
                    failed,
                    new CatchOp(caught),
                    new MoveOp(pad.thrown, caught),
                    new ConstOp(pad.position, i),
                    new GotoOp(pad.label)));
            own.add(new Handler(start, end, failed, null));
        }
        LabelOp start = body.label();
        LabelOp end = body.label();
        ops.addAll(List.of(start, new ThrowOp(pad.thrown), end));
        ops.addAll(catches);
        body.append(ops);
        List<Handler> table = new ArrayList<>(own);
        for (Handler handler : body.handlers()) {
            table.add(handler);
            if (leaving.contains(handler)) {
                table.add(new Handler(start, end, handler.target(), handler.type()));
            }
        }
        body.setHandlers(table);
    }

    /** Writes the withdrawal of the calls behind the position, the last one first, before a wait for any of them. */
    private List<Op> withdraw(List<Integer> calls, Pad pad, RtOps rt, List<Register> pending) {
        List<Op> ops = new ArrayList<>();
        if (calls.size() < 2) {
            return ops;
        }
        LabelOp done = body.label();
        for (int k = calls.size() - 1; k >= 0; k--) {
            Register number = body.fresh(RegisterKind.INT);
            ops.add(new ConstOp(number, calls.get(k)));
            ops.add(new BranchOp(Opcodes.IF_ICMPGE, List.of(pad.position, number), done));
            ops.addAll(rt.withdraw(List.of(pending.get(calls.get(k)))));
        }
        ops.add(done);
        return ops;
    }

    private void addInFront(List<Handler> leaving, Handler added) {
        int index = leaving.isEmpty() ? body.handlers().size() : body.handlers().indexOf(leaving.get(0));
        body.addHandler(index, added);
    }

    /** The ranges of ops that enter at the same place, by their order in the body before anything is added. */
    private List<Run> runs(Map<Op, Integer> covered) {
        List<Run> runs = new ArrayList<>();
        Op first = null;
        Op last = null;
        Entry current = null;
        for (Op op : body.ops()) {
            if (!op.mayThrow()) {
                continue;
            }
            Integer position = covered.get(op);
            Entry entry = position == null ? null : new Entry(body.handlersOf(op), position);
            if (current != null && first != null && last != null && !current.equals(entry)) {
                runs.add(new Run(first, last, current));
                first = null;
            }
            if (entry != null) {
                first = first == null ? op : first;
                last = op;
            }
            current = entry;
        }
        if (current != null && first != null && last != null) {
            runs.add(new Run(first, last, current));
        }
        return runs;
    }

    /** The code that all entries with the same handlers share. */
    private static final class Pad {
        private final LabelOp label;
        private final Register thrown;
        private final Register position;
        private int line = -1; // of the last of those that enter: a debugger sees no line that was not reached

        Pad(MethodBody body) {
            label = body.label();
            thrown = body.fresh(RegisterKind.REFERENCE);
            position = body.fresh(RegisterKind.INT);
        }
    }
}
