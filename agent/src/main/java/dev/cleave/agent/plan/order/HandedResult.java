package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The result of a call on its way to where it is used: through moves, and conversions that do not compute with it
 * (R50).
 *
 * @param source index of the call
 * @param conversions what becomes of the result, in this order
 */
record HandedResult(int source, List<InsnOp> conversions) {

    private static final Map<String, Type> BOXES = Map.of(
            "java/lang/Boolean", Type.BOOLEAN_TYPE,
            "java/lang/Byte", Type.BYTE_TYPE,
            "java/lang/Character", Type.CHAR_TYPE,
            "java/lang/Short", Type.SHORT_TYPE,
            "java/lang/Integer", Type.INT_TYPE,
            "java/lang/Long", Type.LONG_TYPE,
            "java/lang/Float", Type.FLOAT_TYPE,
            "java/lang/Double", Type.DOUBLE_TYPE);

    /** The result that a register has in front of an op; null if that is not always the result of one call. */
    static @Nullable HandedResult of(Method method, int index, Register operand) {
        List<InsnOp> conversions = new ArrayList<>();
        int at = index;
        Register wanted = operand;
        for (int steps = 0; steps < method.graph().size(); steps++) {
            BitSet definitions = method.whole().definitions(at, wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1 || definition >= method.graph().size()) {
                return null;
            }
            Op op = method.op(definition);
            if (op instanceof InsnOp insn && isConversion(insn)) {
                conversions.add(0, insn);
            } else if (!(op instanceof MoveOp)) {
                return method.isCandidate(definition) ? new HandedResult(definition, List.copyOf(conversions)) : null;
            }
            at = definition;
            wanted = op.uses().get(0);
        }
        return null;
    }

    /** Whether an op makes nothing but another form of its operand. */
    static boolean isConversion(InsnOp op) {
        return op.opcode() == Opcodes.CHECKCAST || widened(op) != null || boxed(op) != null || unboxed(op) != null;
    }

    /** Whether a server makes of a result of one type what these conversions make of it for a parameter of another. */
    boolean suits(Type result, Type parameter) {
        Type at = result;
        boolean isWidened = false;
        boolean isCast = false;
        for (InsnOp op : conversions) {
            Type wide = widened(op);
            Type box = boxed(op);
            Type primitive = unboxed(op);
            if (wide != null) {
                boolean fits = !isWidened && isPrimitive(at) && at.getSort() != Type.BOOLEAN;
                if (!fits || RegisterKind.of(at) != RegisterKind.of(operandOf(op))) {
                    return false;
                }
                isWidened = true;
                at = wide;
            } else if (box != null) {
                if (at != result || !at.equals(BOXES.get(box.getInternalName()))) {
                    return false;
                }
                at = box;
            } else if (primitive != null) {
                if (isPrimitive(at) || !primitive.equals(BOXES.get(at.getInternalName()))) {
                    return false;
                }
                at = primitive;
            } else {
                isCast = true;
                at = Type.getObjectType(((TypeInsnNode) op.insn()).desc);
            }
        }
        if (!isPrimitive(at)) {
            return !isPrimitive(parameter) && (!isCast || at.equals(parameter));
        }
        return at.equals(parameter) || !isWidened && isPartOf(at, parameter);
    }

    private static boolean isPrimitive(Type type) {
        return type.getSort() < Type.ARRAY;
    }

    /** Whether each value of a type is one of another, which the JVM holds in the same way. */
    private static boolean isPartOf(Type type, Type wider) {
        return switch (type.getSort()) {
            case Type.BYTE -> wider.getSort() == Type.SHORT || wider.getSort() == Type.INT;
            case Type.CHAR, Type.SHORT -> wider.getSort() == Type.INT;
            default -> false;
        };
    }

    private static @Nullable Type widened(InsnOp op) {
        return switch (op.opcode()) {
            case Opcodes.I2L -> Type.LONG_TYPE;
            case Opcodes.I2F, Opcodes.L2F -> Type.FLOAT_TYPE;
            case Opcodes.I2D, Opcodes.L2D, Opcodes.F2D -> Type.DOUBLE_TYPE;
            default -> null;
        };
    }

    private static Type operandOf(InsnOp widening) {
        return switch (widening.opcode()) {
            case Opcodes.L2F, Opcodes.L2D -> Type.LONG_TYPE;
            case Opcodes.F2D -> Type.FLOAT_TYPE;
            default -> Type.INT_TYPE;
        };
    }

    private static @Nullable Type boxed(InsnOp op) {
        MethodInsnNode call = op.opcode() == Opcodes.INVOKESTATIC ? op.method() : null;
        Type primitive = call == null ? null : BOXES.get(call.owner);
        return call != null
                        && primitive != null
                        && call.name.equals("valueOf")
                        && call.desc.equals("(" + primitive.getDescriptor() + ")L" + call.owner + ";")
                ? Type.getObjectType(call.owner)
                : null;
    }

    private static @Nullable Type unboxed(InsnOp op) {
        MethodInsnNode call = op.opcode() == Opcodes.INVOKEVIRTUAL ? op.method() : null;
        Type primitive = call == null ? null : BOXES.get(call.owner);
        return call != null
                        && primitive != null
                        && call.name.equals(primitive.getClassName() + "Value")
                        && call.desc.equals("()" + primitive.getDescriptor())
                ? primitive
                : null;
    }
}
