package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.SendSlice;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;

/**
 * Writes a helper whose calls are prefetched (R63): asked, it runs a copy of the slice that sends into the queue of its
 * caller; else each of its calls claims from that queue, and is made as written if nothing is there.
 */
final class PrefetchHelperWriter implements SliceWriter.Sender, HandedCalls {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final PrefetchHelper helper;
    private final SendSlice slice;
    private final PrefetchOps ops;
    private final RegisterCopies bank;
    private final Register queue;
    private final Register base;
    private final LabelOp stop;

    PrefetchHelperWriter(Editing editing, PrefetchHelper helper) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.helper = helper;
        this.slice = helper.slice();
        this.ops = new PrefetchOps(body);
        this.bank = new RegisterCopies(body, slice);
        this.queue = body.fresh(RegisterKind.REFERENCE);
        this.base = body.fresh(RegisterKind.INT);
        this.stop = body.label();
    }

    /** Holds the queue that this activation was handed, or null. */
    @Override
    public Register handed() {
        return queue;
    }

    /** Holds the position in the queue of the first call. */
    Register base() {
        return base;
    }

    @Override
    public boolean claims(int index) {
        return slice.sends().contains(index);
    }

    /**
     * Writes the claims of calls that no other writer has replaced, and the marks where prefetched results become
     * stale.
     */
    void write() {
        for (int index : slice.sends()) {
            if (!editing.isReplaced(index)) {
                editing.replace(original.get(index), editing.claim(index).written(), List.of());
            }
        }
        for (int mark : helper.stale()) {
            Op op = original.get(mark);
            boolean isRemote = helper.remote().get(mark);
            body.insertBefore(
                    editing.first(op), ops.stale(op, isRemote, helper.guards().getOrDefault(mark, List.of()), queue));
        }
    }

    /** It claims first; nothing takes later, so that {@code otherwise} is the call itself. */
    @Override
    public List<Op> takeFirst(int index, Op written, List<Op> otherwise) {
        PrefetchHelper inner = helper.called().get(index);
        if (inner != null) {
            return editing.passages().handAhead(written, inner, ahead(index));
        }
        InsnOp call = (InsnOp) original.get(index);
        LabelOp missing = body.label();
        LabelOp done = body.label();
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> claim = new ArrayList<>();
        claim.add(ops.claim(call, ahead(index), taken));
        claim.add(new BranchOp(Opcodes.IFNULL, List.of(taken), missing));
        claim.addAll(new RtOps(body).await(call, taken));
        claim.add(new GotoOp(done));
        claim.add(missing);
        claim.addAll(otherwise);
        claim.add(done);
        return claim;
    }

    /** The positions in the queue of the calls of a send. */
    Ahead ahead(int index) {
        return new Ahead(queue, base, helper.position(index));
    }

    /** The copy of the slice; falls through behind it. */
    List<Op> copy() {
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp away = body.label();
        SliceWriter writer = new SliceWriter(body, original, slice, bank, new SliceWriter.Ends(away, stop, away));
        List<Op> copy = new ArrayList<>(bank.copyIn(slice));
        copy.add(start);
        copy.addAll(writer.write(this));
        copy.add(end);
        copy.add(away);
        copy.add(ops.call("finish", ")V", null, queue));
        copy.add(stop);
        ExceptionCleanup.leave(body, start, end, away);
        return copy;
    }

    @Override
    public List<Op> send(int position, LabelOp away) {
        int index = slice.sends().get(position);
        InsnOp call = (InsnOp) original.get(index);
        Register goesOn = body.fresh(RegisterKind.INT);
        List<Register> operands = call.uses().stream().map(bank::of).toList();
        PrefetchHelper inner = helper.called().get(index);
        List<Op> send = new ArrayList<>(
                inner == null
                        ? List.of(ops.send(call, ahead(index), goesOn, operands))
                        : editing.passages().askAhead(call, inner, ahead(index), goesOn, operands));
        send.add(new BranchOp(Opcodes.IFEQ, List.of(goesOn), stop));
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
}
