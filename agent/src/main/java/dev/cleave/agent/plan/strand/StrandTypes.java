package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Finds the types of registers at places of a method, by the definitions that reach these places. A strand keeps the
 * registers in fields of these types.
 */
final class StrandTypes {

    /** The type of null. */
    private static final Type NULL = Type.VOID_TYPE;

    private static final Type OBJECT = Type.getType(Object.class);

    private final Method method;

    StrandTypes(Method method) {
        this.method = method;
    }

    /** The type of a register in front of an op. */
    Type of(int index, Register register) throws Refused {
        if (register.kind() != RegisterKind.REFERENCE) {
            return switch (register.kind()) {
                case INT -> Type.INT_TYPE;
                case LONG -> Type.LONG_TYPE;
                case FLOAT -> Type.FLOAT_TYPE;
                default -> Type.DOUBLE_TYPE;
            };
        }
        Type type = of(index, register, new HashSet<>());
        if (type == null) {
            throw method.refused(
                    Rule.R71, index, "what a strand would keep here has no one type", "give it a variable of its own");
        }
        return type == NULL ? OBJECT : type;
    }

    private @Nullable Type of(int index, Register register, Set<Integer> seen) {
        BitSet definitions = method.whole().definitions(index, register);
        Type found = NULL;
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            Type type = i < method.graph().size() ? defined(i, seen) : parameter(register);
            if (type == null) {
                return null;
            }
            if (found == NULL) {
                found = type;
            } else if (type != NULL && !type.equals(found)) {
                return null;
            }
        }
        return found;
    }

    private @Nullable Type parameter(Register register) {
        List<Register> parameters = method.graph().body().parameters();
        Type[] types = Type.getArgumentTypes(method.graph().body().original().desc);
        int at = parameters.indexOf(register);
        int first = parameters.size() - types.length;
        if (at < 0) {
            return null;
        }
        return at < first ? Type.getObjectType(method.graph().body().owner()) : types[at - first];
    }

    private @Nullable Type defined(int index, Set<Integer> seen) {
        if (!seen.add(index)) {
            return NULL; // its type is that of the other definitions
        }
        Op op = method.op(index);
        if (op instanceof MoveOp move) {
            return of(index, move.use(), seen);
        }
        if (op instanceof ConstOp constant) {
            return ofConstant(constant.value());
        }
        if (op instanceof CatchOp) {
            return CaughtExceptions.typeOf(method.graph().body(), index);
        }
        return op instanceof InsnOp insn ? ofResult(index, insn, seen) : null;
    }

    private static @Nullable Type ofConstant(@Nullable Object value) {
        if (value == null) {
            return NULL;
        }
        if (value instanceof Type type) {
            return type.getSort() == Type.METHOD ? null : Type.getType(Class.class);
        }
        return value instanceof String ? Type.getType(String.class) : null;
    }

    private @Nullable Type ofResult(int index, InsnOp op, Set<Integer> seen) {
        if (op.method() != null) {
            return Type.getReturnType(op.method().desc);
        }
        if (op.dynamic() != null) {
            return Type.getReturnType(op.dynamic().desc);
        }
        if (op.field() != null) {
            return Type.getType(op.field().desc);
        }
        return switch (op.opcode()) {
            case Opcodes.CHECKCAST, Opcodes.NEW -> Type.getObjectType(((TypeInsnNode) op.insn()).desc);
            case Opcodes.ANEWARRAY ->
                Type.getType('['
                        + Type.getObjectType(((TypeInsnNode) op.insn()).desc).getDescriptor());
            case Opcodes.MULTIANEWARRAY -> Type.getType(((MultiANewArrayInsnNode) op.insn()).desc);
            case Opcodes.NEWARRAY -> ofArray(((IntInsnNode) op.insn()).operand);
            case Opcodes.AALOAD -> {
                Type array = of(index, op.uses().get(0), seen);
                if (array == null || array.getSort() != Type.ARRAY) {
                    yield null;
                }
                yield Type.getType(array.getDescriptor().substring(1));
            }
            default -> null;
        };
    }

    private static Type ofArray(int code) {
        return Type.getType(
                switch (code) {
                    case Opcodes.T_BOOLEAN -> "[Z";
                    case Opcodes.T_CHAR -> "[C";
                    case Opcodes.T_FLOAT -> "[F";
                    case Opcodes.T_DOUBLE -> "[D";
                    case Opcodes.T_BYTE -> "[B";
                    case Opcodes.T_SHORT -> "[S";
                    case Opcodes.T_INT -> "[I";
                    default -> "[J";
                });
    }
}
