package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Returns from the method, with a value or without. */
public final class ReturnOp extends Op {

    private final @Nullable Register use;

    /**
     * Makes a return.
     *
     * @param use the value to return, null in a void method
     */
    public ReturnOp(@Nullable Register use) {
        this.use = use;
    }

    /** The value that is returned, null in a void method. */
    public @Nullable Register use() {
        return use;
    }

    @Override
    public List<Register> uses() {
        return use == null ? List.of() : List.of(use);
    }

    @Override
    public boolean fallsThrough() {
        return false;
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new ReturnOp(use == null ? null : uses.apply(use));
    }

    @Override
    public String toString() {
        return use == null ? "return" : "return " + use;
    }
}
