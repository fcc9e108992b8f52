package dev.cleave.agent.effect;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A value that only the program itself knows, in code that is only planned in: the result of a stream in whose place a loop stands
 * (R69). No copy computes it.
 */
public final class OpaqueValue {

    private static final String OWNER = "cleave/OpaqueValue";
    private static final String COLLECTION = "collection";

    private OpaqueValue() {}

    /** Returns an instruction that puts a value of a type on the stack. */
    public static MethodInsnNode of(Type type) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, OWNER, "value", "()" + type.getDescriptor(), false);
    }

    /** Returns an instruction that puts a new collection of the JDK on the stack. */
    public static MethodInsnNode collection(Type type) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, OWNER, COLLECTION, "()" + type.getDescriptor(), false);
    }

    /** Whether an op stands for such a value. */
    public static boolean is(Op op) {
        return op instanceof InsnOp insn && insn.method() != null && isMarker(insn.method());
    }

    static boolean isMarker(MethodInsnNode call) {
        return call.owner.equals(OWNER);
    }

    /** Whether an op stands for a new collection of the JDK. */
    public static boolean isCollection(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && isMarker(insn.method())
                && insn.method().name.equals(COLLECTION);
    }
}
