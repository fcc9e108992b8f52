package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.SendSlice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Writes a helper (R68): in front of its code stands the copy of the slice, for activations that are only asked to
 * send; the code itself takes, where it calls, what this activation was handed.
 */
final class HelperWriter implements PlacementWriter, HandedCalls {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final Helper helper;
    private final Passages passages;
    private final RtOps rt;
    private final Register mine;

    HelperWriter(Editing editing, Helper helper) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.helper = helper;
        this.passages = editing.passages();
        this.rt = new RtOps(body);
        this.mine = body.fresh(RegisterKind.REFERENCE);
    }

    /** Holds what this activation was handed, and has not yet taken. */
    @Override
    public Register handed() {
        return mine;
    }

    /**
     * Whether the method's own placements are written, too: calls that are not handed over go by them.
     */
    boolean isPlain() {
        return helper.called().isEmpty();
    }

    @Override
    public boolean claims(int index) {
        return isPlain() && helper.slice().sends().contains(index);
    }

    /** Writes the claims of the calls that no other writer has replaced. */
    @Override
    public void write() {
        for (int call : helper.slice().sends()) {
            if (!editing.isReplaced(call)) {
                writeClaim(call);
            }
        }
    }

    /** Writes what happens on ways without the calls; behind the landing pads, which know handlers as they were. */
    @Override
    public void settle() {
        BitSet unsent = uncalled();
        for (int i = unsent.nextSetBit(0); i >= 0; i = unsent.nextSetBit(i + 1)) {
            if (original.get(i) instanceof ReturnOp) {
                body.insertBefore(original.get(i), giveUp());
            }
        }
        new ExceptionCleanup(body, editing.throwing(unsent), Set.of()).add(this::giveUp);
    }

    private void writeClaim(int index) {
        InsnOp call = (InsnOp) original.get(index);
        if (isPlain()) {
            editing.replace(call, editing.claim(index).written(), List.of());
            return;
        }
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> take = List.of(new MoveOp(taken, mine), new ConstOp(mine, null));
        editing.replace(call, editing.claim(index, taken, take, List.of()), List.of());
    }

    @Override
    public List<Op> takeFirst(int index, Op written, List<Op> otherwise) {
        LabelOp missing = body.label();
        LabelOp done = body.label();
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>(take(index, taken));
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(taken), missing));
        ops.addAll(rt.await((InsnOp) original.get(index), taken));
        ops.add(new GotoOp(done));
        ops.add(missing);
        ops.addAll(otherwise);
        ops.add(done);
        return ops;
    }

    private List<Op> take(int index, Register taken) {
        if (!helper.isManifold()) {
            return List.of(new MoveOp(taken, mine), new ConstOp(mine, null));
        }
        Register part = body.fresh(RegisterKind.INT);
        return List.of(
                new ConstOp(part, helper.slice().sends().indexOf(index)),
                InsnOp.invokeStatic(
                        CoreNames.PASSAGE,
                        "takePart",
                        "(" + CoreNames.OBJECT + "I)" + CoreNames.OBJECT,
                        taken,
                        List.of(mine, part)),
                InsnOp.invokeStatic(
                        CoreNames.PASSAGE,
                        "rest",
                        "(" + CoreNames.OBJECT + CoreNames.OBJECT + ")" + CoreNames.OBJECT,
                        mine,
                        List.of(mine, taken)));
    }

    private List<Op> giveUp() {
        return rt.discard(mine);
    }

    /** Returns the ops that may run before the last call, or without it. */
    private BitSet uncalled() {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(0));
        while (!work.isEmpty()) {
            int index = work.pop();
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            boolean isEnd = helper.slice().sends().contains(index) && helper.isLast(index);
            if (!isEnd) {
                for (int successor : helper.slice().region().graph().all(index)) {
                    work.push(successor);
                }
            }
        }
        return seen;
    }

    /** The copy of the slice; falls through behind it. */
    List<Op> copy() {
        SendSlice slice = helper.slice();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp nothing = body.label();
        LabelOp away = body.label();
        RegisterCopies bank = new RegisterCopies(body, slice);
        SliceWriter writer = new SliceWriter(body, original, slice, bank, new SliceWriter.Ends(away, nothing, away));
        List<Op> ops = new ArrayList<>(bank.copyIn(slice));
        ops.add(start);
        ops.addAll(new EntryTests(body).write(slice.tests(), away));
        ops.addAll(writer.write((position, declined) -> send(position, bank)));
        ops.add(end);
        ops.add(nothing);
        ops.add(passages.call("answerNothing", "()V", null, List.of()));
        ops.add(away);
        ExceptionCleanup.leave(body, start, end, away);
        return ops;
    }

    private List<Op> send(int position, RegisterCopies bank) {
        int index = helper.slice().sends().get(position);
        InsnOp call = (InsnOp) original.get(index);
        Register sent = body.fresh(RegisterKind.REFERENCE);
        List<Register> operands = call.uses().stream().map(bank::of).toList();
        List<Op> ops = new ArrayList<>(editing.sendForCaller(index, sent, operands));
        if (helper.isManifold()) {
            Register part = body.fresh(RegisterKind.INT);
            ops.add(new ConstOp(part, position));
            ops.add(passages.call("answerPart", "(" + CoreNames.OBJECT + "I)V", null, List.of(sent, part)));
        } else {
            ops.add(passages.call("answer", "(" + CoreNames.OBJECT + ")V", null, List.of(sent)));
        }
        return ops;
    }
}
