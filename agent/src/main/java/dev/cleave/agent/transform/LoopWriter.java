package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.LoopPlan;
import dev.cleave.agent.plan.OwnIterator;
import dev.cleave.agent.plan.SendSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Writes a loop that sends ahead: in front of each iteration the copy of the slice runs while the queue has room; each
 * call of the program takes from the queue.
 */
final class LoopWriter {

    private static final String ON_QUEUE = "(" + CoreNames.QUEUE + ")V";

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final LoopPlan plan;
    private final SendSlice slice;
    private final RtOps rt;
    private final Bank bank;
    private final Register queue;

    LoopWriter(Editing editing, LoopPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.slice = plan.slice();
        this.rt = new RtOps(body);
        this.bank = new Bank(body, slice);
        this.queue = body.fresh(RegisterKind.REFERENCE);
    }

    /** Writes the run-ahead and the claims. */
    void write() {
        for (int i = 0; i < slice.sends().size(); i++) {
            writeClaim((InsnOp) original.get(slice.sends().get(i)), i);
        }
        for (Map.Entry<Integer, List<Integer>> skip : plan.skips().entrySet()) {
            writeSkips(skip.getKey(), skip.getValue());
        }
        writeEntry(writeRunAhead());
    }

    /** Writes what happens when an exception leaves the loop. */
    void settle() {
        BitSet ops = slice.region().ops();
        Set<LabelOp> inside = new HashSet<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (original.get(i) instanceof LabelOp label) {
                inside.add(label);
            }
        }
        new Settling(body, editing.throwing(ops), inside).add(() -> List.of(rt.call("close", ON_QUEUE, null, queue)));
    }

    private void writeClaim(InsnOp call, int position) {
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> take =
                rt.numbered("take", "(" + CoreNames.QUEUE + "I)" + CoreNames.OBJECT, taken, List.of(queue), position);
        editing.replace(call, editing.claim(slice.sends().get(position), taken, take, List.of()), List.of());
    }

    private void writeSkips(int handler, List<Integer> positions) {
        Op caught = original.get(handler + 1);
        if (!(caught instanceof CatchOp)) {
            throw new IllegalStateException("op: " + caught + " (expected: a catch)");
        }
        List<Op> ops = new ArrayList<>();
        for (int position : positions) {
            ops.addAll(rt.numbered("skip", "(" + CoreNames.QUEUE + "I)V", null, List.of(queue), position));
        }
        body.insertAfter(caught, ops);
    }

    /** The run-ahead, right behind the label of the header; returns that label. */
    private LabelOp writeRunAhead() {
        if (!(original.get(slice.region().entry()) instanceof LabelOp header)) {
            throw new IllegalStateException("the loop does not begin with a label");
        }
        LabelOp check = body.label();
        LabelOp again = body.label();
        LabelOp out = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp failed = body.label();
        LabelOp program = body.label();
        Register room = body.fresh(RegisterKind.INT);
        SliceWriter writer = new SliceWriter(body, original, slice, bank, new SliceWriter.Ends(again, out, out));
        List<Op> ops = new ArrayList<>();
        ops.add(rt.call("begin", ON_QUEUE, null, queue));
        ops.add(check);
        ops.add(rt.call("hasRoom", "(" + CoreNames.QUEUE + ")Z", room, queue));
        ops.add(new BranchOp(Opcodes.IFEQ, List.of(room), program));
        ops.add(start);
        ops.addAll(writer.write((position, away) -> send(position, program)));
        ops.add(again);
        ops.add(rt.call("ahead", ON_QUEUE, null, queue));
        ops.add(new GotoOp(check));
        ops.add(end);
        ops.add(out);
        ops.add(rt.call("finish", ON_QUEUE, null, queue));
        ops.add(program);
        body.insertAfter(header, ops);
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(out)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
        return header;
    }

    private List<Op> send(int position, LabelOp declined) {
        int index = slice.sends().get(position);
        InsnOp call = (InsnOp) original.get(index);
        Register sent = body.fresh(RegisterKind.REFERENCE);
        Register kept = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>();
        List<Register> operands = call.uses().stream().map(bank::of).toList();
        if (plan.isChained()) {
            Register chain = body.fresh(RegisterKind.REFERENCE);
            ops.add(rt.call("chainOf", "(" + CoreNames.QUEUE + ")" + CoreNames.OBJECT, chain, queue));
            ops.add(rt.sendChained(call, editing.line(index), sent, chain, operands));
        } else {
            ops.addAll(editing.send(index, sent, operands));
        }
        ops.addAll(rt.numbered(
                "put", "(" + CoreNames.QUEUE + CoreNames.OBJECT + "I)Z", kept, List.of(queue, sent), position));
        ops.add(new BranchOp(Opcodes.IFEQ, List.of(kept), declined));
        return ops;
    }

    /** What runs before the first iteration: opens the queue if all tests hold. */
    private void writeEntry(LabelOp header) {
        LabelOp entry = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        LabelOp failed = body.label();
        List<Op> ops = new ArrayList<>(List.of(entry));
        ops.addAll(bank.copyIn(slice));
        for (OwnIterator own : slice.iterators()) {
            ops.add(new MoveOp(bank.of(own.iterator()), ownIterator(own)));
        }
        ops.add(start);
        ops.addAll(new EntryTests(body).write(slice.tests(), shut));
        for (OwnIterator own : slice.iterators()) {
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(bank.of(own.iterator())), shut));
        }
        ops.add(rt.open(queue, plan.window(), slice.sends().size()));
        ops.add(new GotoOp(ready));
        ops.add(end);
        ops.add(shut);
        ops.add(new ConstOp(queue, null));
        ops.add(ready);
        enter(header, entry, ops);
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(shut)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
    }

    /** A second iterator, made right behind the program's. */
    private Register ownIterator(OwnIterator own) {
        Register iterator = body.fresh(RegisterKind.REFERENCE);
        body.insertAfter(
                original.get(own.made()),
                List.of(rt.call("iterator", "(Ljava/lang/Object;)Ljava/util/Iterator;", iterator, own.collection())));
        return iterator;
    }

    /** Leads all ways into the loop, but not those of its iterations, through some ops. */
    private void enter(LabelOp header, LabelOp entry, List<Op> ops) {
        Set<Op> inLoop = new HashSet<>();
        BitSet indices = slice.region().ops();
        for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
            inLoop.add(original.get(i));
        }
        for (Op op : List.copyOf(body.ops())) {
            if (!inLoop.contains(op) && op.targets().contains(header)) {
                body.replace(op, List.of(op.redirected(label -> label == header ? entry : label)));
            }
        }
        int index = body.indexOf(header);
        boolean loopFallsIn = index > 0
                && slice.region().entry() > 0
                && inLoop.contains(original.get(slice.region().entry() - 1))
                && original.get(slice.region().entry() - 1).fallsThrough();
        if (loopFallsIn) {
            List<Op> far = new ArrayList<>(ops);
            far.add(new GotoOp(header));
            body.append(far);
        } else {
            body.insertBefore(header, ops);
        }
    }
}
