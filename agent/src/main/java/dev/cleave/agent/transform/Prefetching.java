package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.SendSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.objectweb.asm.Opcodes;

/** Writes the sends, claims and marks of the code that prefetches with one queue. */
final class Prefetching {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final Map<Integer, PrefetchHelper> helpers;
    private final PrefetchOps ops;
    private final Register queue;

    /**
     * Prepares the writer.
     *
     * @param helpers the calls that are calls of helpers, which claim themselves
     */
    Prefetching(Editing editing, Map<Integer, PrefetchHelper> helpers) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.helpers = helpers;
        this.ops = new PrefetchOps(body);
        this.queue = body.fresh(RegisterKind.REFERENCE);
    }

    Register queue() {
        return queue;
    }

    PrefetchOps ops() {
        return ops;
    }

    /** Discards the calls that were sent and not claimed. */
    Op close() {
        return ops.call("close", ")V", null, queue);
    }

    /** Writes the claim of a call: it takes the result that was prefetched, or makes the call as written. */
    void writeClaim(int index, int position) {
        InsnOp call = (InsnOp) original.get(index);
        ClaimWriter claim = editing.claim(index);
        PrefetchHelper helper = helpers.get(index);
        if (helper != null) {
            editing.replace(call, editing.passages().handAhead(claim.asWritten(), helper, at(position)), List.of());
            return;
        }
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> take = List.of(ops.claim(call, at(position), taken));
        editing.replace(call, claim.write(taken, take, List.of()), List.of());
    }

    private Ahead at(int position) {
        return new Ahead(queue, null, position);
    }

    /** Marks, in front of some ops, the calls that were sent as stale. */
    void writeMarks(List<Integer> stale, BitSet remote, Map<Integer, List<Guard>> guards) {
        for (int index : stale) {
            Op op = original.get(index);
            body.insertBefore(
                    editing.first(op), ops.stale(op, remote.get(index), guards.getOrDefault(index, List.of()), queue));
        }
    }

    /**
     * Returns what writes the sends in a copy of a slice, with the bounds that the copy keeps.
     *
     * @param positions the position of each call of the slice, given the call
     */
    SliceWriter.Sender sender(SendSlice slice, RegisterCopies bank, IntUnaryOperator positions) {
        return new Sender(slice, bank, positions);
    }

    private final class Sender implements SliceWriter.Sender {

        private final SendSlice slice;
        private final RegisterCopies bank;
        private final IntUnaryOperator positions;

        Sender(SendSlice slice, RegisterCopies bank, IntUnaryOperator positions) {
            this.slice = slice;
            this.bank = bank;
            this.positions = positions;
        }

        @Override
        public List<Op> send(int position, LabelOp away) {
            int index = slice.sends().get(position);
            InsnOp call = (InsnOp) original.get(index);
            Ahead at = at(positions.applyAsInt(index));
            Register goesOn = body.fresh(RegisterKind.INT);
            List<Register> operands = call.uses().stream().map(bank::of).toList();
            PrefetchHelper helper = helpers.get(index);
            List<Op> send = new ArrayList<>(
                    helper == null
                            ? List.of(ops.send(call, at, goesOn, operands))
                            : editing.passages().askAhead(call, helper, at, goesOn, operands));
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
    }
}
