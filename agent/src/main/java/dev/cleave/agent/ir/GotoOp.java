package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;

/** Goes to a label. */
public final class GotoOp extends Op {

    private final LabelOp target;

    public GotoOp(LabelOp target) {
        this.target = target;
    }

    public LabelOp target() {
        return target;
    }

    @Override
    public List<LabelOp> targets() {
        return List.of(target);
    }

    @Override
    public boolean fallsThrough() {
        return false;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new GotoOp(labels.apply(target));
    }

    @Override
    public String toString() {
        return "goto " + target;
    }
}
