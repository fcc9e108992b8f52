package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;

/** Throws an exception. */
public final class ThrowOp extends Op {

    private final Register use;

    public ThrowOp(Register use) {
        this.use = use;
    }

    @Override
    public List<Register> uses() {
        return List.of(use);
    }

    @Override
    public boolean fallsThrough() {
        return false;
    }

    @Override
    public boolean mayThrow() {
        return true;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new ThrowOp(uses.apply(use));
    }

    @Override
    public String toString() {
        return "throw " + use;
    }
}
