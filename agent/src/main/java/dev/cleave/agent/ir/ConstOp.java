package dev.cleave.agent.ir;

import static java.util.Objects.requireNonNull;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Type;

/** {@code def = constant}. */
public final class ConstOp extends Op {

    private final Register def;
    private final @Nullable Object value;

    /**
     * Makes a constant op.
     *
     * @param value null, Integer, Long, Float, Double, String, or another value that ASM's {@code LdcInsnNode} takes
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

    /** The kind of a constant's value. */
    static RegisterKind kindOf(@Nullable Object value) {
        if (value instanceof Integer) {
            return RegisterKind.INT;
        }
        if (value instanceof Long) {
            return RegisterKind.LONG;
        }
        if (value instanceof Float) {
            return RegisterKind.FLOAT;
        }
        if (value instanceof Double) {
            return RegisterKind.DOUBLE;
        }
        return value instanceof ConstantDynamic dynamic
                ? RegisterKind.of(Type.getType(dynamic.getDescriptor()))
                : RegisterKind.REFERENCE;
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
