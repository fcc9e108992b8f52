package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;

/** Goes to a label if a condition on one or two registers holds, else to the next op. */
public final class BranchOp extends Op {

    private final int opcode;
    private final List<Register> uses;
    private final LabelOp target;

    /**
     * Makes a branch.
     *
     * @param opcode one of the JVM's {@code if} opcodes
     * @param uses the one or two registers that it compares
     */
    public BranchOp(int opcode, List<Register> uses, LabelOp target) {
        this.opcode = opcode;
        this.uses = List.copyOf(uses);
        this.target = target;
    }

    /** The JVM's opcode, {@code IFEQ} to {@code IF_ACMPNE}, {@code IFNULL} or {@code IFNONNULL}. */
    public int opcode() {
        return opcode;
    }

    public LabelOp target() {
        return target;
    }

    @Override
    public List<Register> uses() {
        return uses;
    }

    @Override
    public List<LabelOp> targets() {
        return List.of(target);
    }

    @Override
    public Op copy(UnaryOperator<Register> useMap, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new BranchOp(opcode, map(uses, useMap), labels.apply(target));
    }

    @Override
    public String toString() {
        return Opcode.name(opcode) + " " + uses + " goto " + target;
    }
}
