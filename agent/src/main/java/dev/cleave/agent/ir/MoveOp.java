package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;

/** {@code def = use}: every load, store, dup and swap, between registers of one kind. */
public final class MoveOp extends Op {

    private final Register def;
    private final Register use;

    public MoveOp(Register def, Register use) {
        if (def.kind() != use.kind()) {
            throw new IllegalArgumentException("use: " + use + " (expected: the kind of " + def + ")");
        }
        this.def = def;
        this.use = use;
    }

    /** The register that is read. */
    public Register use() {
        return use;
    }

    @Override
    public Register def() {
        return def;
    }

    @Override
    public List<Register> uses() {
        return List.of(use);
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new MoveOp(defs.apply(def), uses.apply(use));
    }

    @Override
    public String toString() {
        return def + " = " + use;
    }
}
