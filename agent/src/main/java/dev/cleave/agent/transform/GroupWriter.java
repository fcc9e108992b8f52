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
import dev.cleave.agent.plan.GroupPlan;
import dev.cleave.agent.plan.SendSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/** Writes a group: behind the send of its leader the copy of the slice sends the others; each is claimed at its place. */
final class GroupWriter {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final GroupPlan plan;
    private final RtOps rt;
    private final List<Register> sent = new ArrayList<>();
    private final Register chain;

    GroupWriter(Editing editing, GroupPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.rt = new RtOps(body);
        this.chain = body.fresh(RegisterKind.REFERENCE);
        for (int i = 0; i < plan.slice().sends().size(); i++) {
            sent.add(body.fresh(RegisterKind.REFERENCE));
        }
    }

    /** Writes the sends and the claims. */
    void write() {
        SendSlice slice = plan.slice();
        List<Op> start = new ArrayList<>();
        for (Register register : sent) {
            start.add(new ConstOp(register, null));
        }
        body.insertAtStart(start);
        for (int i = 0; i < slice.sends().size(); i++) {
            InsnOp call = (InsnOp) original.get(slice.sends().get(i));
            Register taken = body.fresh(RegisterKind.REFERENCE);
            List<Op> take = List.of(new MoveOp(taken, sent.get(i)), new ConstOp(sent.get(i), null));
            editing.replace(call, editing.claim(slice.sends().get(i), taken, take, List.of()), List.of());
        }
        writeLeader();
    }

    /** Writes what happens when an exception keeps the program from calls that were sent. */
    void settle() {
        BitSet indices = (BitSet) plan.slice().region().ops().clone();
        indices.set(plan.leader());
        new Settling(body, editing.throwing(indices), Set.of()).add(this::giveUp);
    }

    private void writeLeader() {
        InsnOp call = (InsnOp) original.get(plan.leader());
        Register first = body.fresh(RegisterKind.REFERENCE);
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp behind = body.label();
        LabelOp failed = body.label();
        Bank bank = new Bank(body, plan.slice());
        SliceWriter writer =
                new SliceWriter(body, original, plan.slice(), bank, new SliceWriter.Ends(behind, behind, behind));
        List<Op> ahead = new ArrayList<>(bank.copyIn(plan.slice()));
        ahead.add(start);
        ahead.addAll(new EntryTests(body).write(plan.slice().tests(), behind));
        ahead.addAll(writer.write((position, away) -> send(position, bank, away)));
        ahead.add(end);
        ahead.add(behind);
        if (plan.isChained()) {
            ahead.add(rt.call("endChain", "(" + CoreNames.OBJECT + ")V", null, chain));
        }
        List<Op> send = send(plan.leader(), first, call.uses());
        if (plan.isChained()) {
            send.add(0, rt.call("chain", "()" + CoreNames.OBJECT, chain));
        }
        List<Op> settled = new ArrayList<>(ahead);
        if (editing.callsHelper(plan.leader())) {
            settled.addAll(send);
        }
        editing.replace(call, editing.claim(plan.leader(), first, send, ahead), settled);
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(behind)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
    }

    private List<Op> send(int position, Bank bank, LabelOp away) {
        int index = plan.slice().sends().get(position);
        InsnOp call = (InsnOp) original.get(index);
        Register register = sent.get(position);
        List<Op> ops = new ArrayList<>(
                send(index, register, call.uses().stream().map(bank::of).toList()));
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(register), away));
        return ops;
    }

    private List<Op> send(int index, Register result, List<Register> operands) {
        InsnOp call = (InsnOp) original.get(index);
        return new ArrayList<>(
                plan.isChained()
                        ? List.of(rt.sendChained(call, editing.line(index), result, chain, operands))
                        : editing.send(index, result, operands));
    }

    private List<Op> giveUp() {
        List<Op> ops = new ArrayList<>();
        for (Register register : sent) {
            ops.add(rt.call("discard", "(Ljava/lang/Object;)V", null, register));
            ops.add(new ConstOp(register, null));
        }
        return ops;
    }
}
