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
import dev.cleave.agent.plan.OwnIterator;
import dev.cleave.agent.plan.PrefetchHelper;
import dev.cleave.agent.plan.PrefetchPlan;
import dev.cleave.agent.plan.SendSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Writes a loop that prefetches: in front of each pass the copy of the slice runs while the queue has room; each call
 * claims what was sent for it, or is made as written; every way out of the loop gives up the rest.
 */
final class PrefetchWriter implements SliceWriter.Sender {

    private final Editing editing;
    private final LoopEdges edges;
    private final MethodBody body;
    private final List<Op> original;
    private final PrefetchPlan plan;
    private final SendSlice slice;
    private final PrefetchOps ops;
    private final RtOps rt;
    private final Bank bank;
    private final Register queue;

    PrefetchWriter(Editing editing, LoopEdges edges, PrefetchPlan plan) {
        this.editing = editing;
        this.edges = edges;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.slice = plan.slice();
        this.ops = new PrefetchOps(body);
        this.rt = new RtOps(body);
        this.bank = new Bank(body, slice);
        this.queue = body.fresh(RegisterKind.REFERENCE);
    }

    /** Writes the run-ahead, the claims and the ways out. */
    void write() {
        slice.sends().forEach(this::writeClaim);
        plan.stale().forEach(this::writeMark);
        edges.leave(plan.loop(), () -> List.of(close()));
        writeEntry(writeRunAhead());
    }

    /** Writes what happens when an exception leaves the loop. */
    void settle() {
        BitSet indices = plan.loop();
        Set<LabelOp> inside = new HashSet<>();
        for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
            if (original.get(i) instanceof LabelOp label) {
                inside.add(label);
            }
        }
        new Settling(body, editing.throwing(indices), inside).add(() -> List.of(close()));
    }

    private Op close() {
        return ops.call("close", ")V", null, queue);
    }

    private void writeClaim(int index) {
        InsnOp call = (InsnOp) original.get(index);
        Claim claim = new Claim(body, original, call);
        PrefetchHelper helper = plan.helpers().get(index);
        if (helper != null) {
            editing.replace(call, editing.passages().handAhead(claim.asWritten(), helper, ahead(index)), List.of());
            return;
        }
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> take = List.of(ops.claim(call, ahead(index), taken));
        editing.replace(call, claim.write(taken, take, List.of()), List.of());
    }

    private Ahead ahead(int index) {
        return new Ahead(queue, null, plan.position(index));
    }

    private void writeMark(int index) {
        Op op = original.get(index);
        body.insertBefore(editing.first(op), List.of(ops.stale(op, plan.isRemote(index), queue)));
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
        List<Op> code = new ArrayList<>();
        code.add(ops.call("begin", ")V", null, queue));
        code.add(check);
        code.add(ops.call("hasRoom", ")Z", room, queue));
        code.add(new BranchOp(Opcodes.IFEQ, List.of(room), program));
        code.add(start);
        code.addAll(writer.write(this));
        code.add(again);
        code.add(ops.call("ahead", ")V", null, queue));
        code.add(new GotoOp(check));
        code.add(end);
        code.add(out);
        code.add(ops.call("finish", ")V", null, queue));
        code.add(program);
        body.insertAfter(header, code);
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(out)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
        return header;
    }

    @Override
    public List<Op> send(int position, LabelOp away) {
        int index = slice.sends().get(position);
        InsnOp call = (InsnOp) original.get(index);
        Register goesOn = body.fresh(RegisterKind.INT);
        List<Register> operands = call.uses().stream().map(bank::of).toList();
        PrefetchHelper helper = plan.helpers().get(index);
        List<Op> send = new ArrayList<>(
                helper == null
                        ? List.of(ops.send(call, ahead(index), goesOn, operands))
                        : editing.passages().askAhead(call, helper, ahead(index), goesOn, operands));
        send.add(new BranchOp(Opcodes.IFEQ, List.of(goesOn), away));
        return send;
    }

    @Override
    public List<Op> before(int index, LabelOp away) {
        return ops.bounded(original.get(index), queue, bank, away);
    }

    @Override
    public List<Op> round(LabelOp away) {
        return ops.round(queue, away);
    }

    /** What runs before the first pass: opens the queue if the run-ahead can have its own iterators. */
    private void writeEntry(LabelOp header) {
        LabelOp entry = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        List<Op> code = new ArrayList<>(List.of(entry));
        code.addAll(bank.copyIn(slice));
        for (OwnIterator own : slice.iterators()) {
            code.add(new MoveOp(bank.of(own.iterator()), ownIterator(own)));
        }
        for (OwnIterator own : slice.iterators()) {
            code.add(new BranchOp(Opcodes.IFNULL, List.of(bank.of(own.iterator())), shut));
        }
        code.add(ops.open(queue, plan.window(), plan.guesses() ? 1 : 0, plan.calls()));
        code.add(new GotoOp(ready));
        code.add(shut);
        code.add(new ConstOp(queue, null));
        code.add(ready);
        edges.enter(header, plan.loop(), entry, code);
    }

    /** A second iterator, made right behind the program's. */
    private Register ownIterator(OwnIterator own) {
        Register iterator = body.fresh(RegisterKind.REFERENCE);
        body.insertAfter(
                original.get(own.made()),
                List.of(rt.call("iterator", "(Ljava/lang/Object;)Ljava/util/Iterator;", iterator, own.collection())));
        return iterator;
    }
}
