package dev.cleave.agent.ir;

import static java.util.Objects.requireNonNull;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code def = constant}. */
public final class ConstOp extends Op {

    private final Register def;
    private final @Nullable Object value;

    /**
     * Makes a constant op.
     *
     * @param value null, Integer, Long, Float, Double, String, or what ASM's {@code LdcInsnNode} takes beyond that
     */
    public ConstOp(Register def, @Nullable Object value) {
        this.def = requireNonNull(def, "def");
        this.value = value;
    }

    /** The constant; null is the null reference. */
    public @Nullable Object value() {
        return value;
    }

    /** Whether the value is null, a number or a string: free of effects, may be made anywhere and any number of times. */
    public boolean isPlain() {
        return value == null || value instanceof Number || value instanceof String;
    }

    @Override
    public Register def() {
        return def;
    }

    @Override
    public boolean mayThrow() {
        return !isPlain();
    }

    @Override
    public Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new ConstOp(defs.apply(def), value);
    }

    @Override
    public String toString() {
        return def + " = " + (value instanceof String ? '"' + (String) value + '"' : String.valueOf(value));
    }
}
