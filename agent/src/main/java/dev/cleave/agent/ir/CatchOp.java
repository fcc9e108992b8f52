package dev.cleave.agent.ir;

import java.util.function.UnaryOperator;

/** {@code def = the exception caught}; follows the label that a handler goes to, and occurs nowhere else. */
public final class CatchOp extends Op {

    private final Register def;

    public CatchOp(Register def) {
        this.def = def;
    }

    @Override
    public Register def() {
        return def;
    }

    @Override
    public boolean isExecutable() {
        return false;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new CatchOp(defs.apply(def));
    }

    @Override
    public String toString() {
        return def + " = catch";
    }
}
