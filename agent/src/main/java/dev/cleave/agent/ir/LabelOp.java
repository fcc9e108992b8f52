package dev.cleave.agent.ir;

import java.util.function.UnaryOperator;

/** A target of jumps in a body, or the beginning or end of a handler's range; made by the body only. */
public final class LabelOp extends Op {

    private final int number;

    LabelOp(int number) {
        this.number = number;
    }

    @Override
    public boolean isExecutable() {
        return false;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return labels.apply(this);
    }

    @Override
    public String toString() {
        return "L" + number;
    }
}
