package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.SendSlice;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.IntInsnNode;

/** What all code that prefetches with one queue has: sends, claims, marks. */
final class Prefetching {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final PrefetchOps ops;
    private final Register queue;

    Prefetching(Editing editing) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.ops = new PrefetchOps(body);
        this.queue = body.fresh(RegisterKind.REFERENCE);
    }

    Register queue() {
        return queue;
    }

    PrefetchOps ops() {
        return ops;
    }

    /** Gives up what was not claimed. */
    Op close() {
        return ops.call("close", ")V", null, queue);
    }

    /** Takes what was sent for a call, or calls as written. */
    void writeClaim(int index, int position) {
        InsnOp call = (InsnOp) original.get(index);
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Register> operands = new ArrayList<>(List.of(queue));
        operands.addAll(call.uses());
        List<Op> take = List.of(ops.claim(call, position, taken, operands));
        editing.replace(call, new Claim(body, original, call).write(taken, take, List.of()), List.of());
    }

    /** Marks what was sent as stale in front of some ops. */
    void writeMarks(List<Integer> stale, BitSet remote) {
        for (int index : stale) {
            Op op = original.get(index);
            boolean isRemote =
                    op instanceof InsnOp insn && insn.opcode() == Opcodes.INVOKEINTERFACE && remote.get(index);
            Op mark = isRemote
                    ? ops.call(
                            "staleUnlessStub",
                            CoreNames.OBJECT + ")V",
                            null,
                            queue,
                            op.uses().get(0))
                    : ops.call("stale", ")V", null, queue);
            body.insertBefore(editing.first(op), List.of(mark));
        }
    }

    /** What the core is to know of calls. */
    List<String> sites(List<Integer> calls, List<Reading> readings) {
        List<String> sites = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Reading reading = readings.get(i);
            long age = reading.maxAge().toNanos();
            String kind = reading.kind() == Reading.Kind.PURE ? "PURE" : age == 0 ? "READ_ONLY" : "READ_ONLY_FOR";
            sites.add(ops.site((InsnOp) original.get(calls.get(i)), editing.line(calls.get(i)), kind, age));
        }
        return sites;
    }

    /**
     * What a copy of a slice does besides its ops.
     *
     * @param first the position of the first call of the slice
     */
    SliceWriter.Sender sender(SendSlice slice, Bank bank, int first) {
        return new Sender(slice, bank, first);
    }

    private final class Sender implements SliceWriter.Sender {

        private final SendSlice slice;
        private final Bank bank;
        private final int first;

        Sender(SendSlice slice, Bank bank, int first) {
            this.slice = slice;
            this.bank = bank;
            this.first = first;
        }

        @Override
        public List<Op> send(int position, LabelOp away) {
            InsnOp call = (InsnOp) original.get(slice.sends().get(position));
            Register goesOn = body.fresh(RegisterKind.INT);
            List<Register> operands = new ArrayList<>(List.of(queue));
            call.uses().forEach(use -> operands.add(bank.of(use)));
            return List.of(
                    ops.send(call, first + position, goesOn, operands),
                    new BranchOp(Opcodes.IFEQ, List.of(goesOn), away));
        }

        @Override
        public List<Op> before(int index, LabelOp away) {
            boolean makesArray = original.get(index) instanceof InsnOp op
                    && (op.opcode() == Opcodes.ANEWARRAY
                            || op.insn() instanceof IntInsnNode && op.opcode() == Opcodes.NEWARRAY);
            if (!makesArray) {
                return List.of();
            }
            Register may = body.fresh(RegisterKind.INT);
            Register length = bank.of(original.get(index).uses().get(0));
            return List.of(
                    ops.call("mayMake", "I)Z", may, queue, length), new BranchOp(Opcodes.IFEQ, List.of(may), away));
        }

        @Override
        public List<Op> round(LabelOp away) {
            Register may = body.fresh(RegisterKind.INT);
            return List.of(ops.call("step", ")Z", may, queue), new BranchOp(Opcodes.IFEQ, List.of(may), away));
        }
    }
}
