package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.method.Method;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The exact classes of objects that a method makes (R43): by {@code new}, by a static method that returns a new object, and by methods of such an
 * object that return the object itself, as builders do.
 */
final class MadeObjects {

    private static final int LONGEST = 32;

    private final Method method;

    MadeObjects(Method method) {
        this.method = method;
    }

    /** Internal name of the class of which the object that an op gives certainly is, null if that is not known. */
    @Nullable
    String classOf(int made) {
        return classOf(made, LONGEST);
    }

    private @Nullable String classOf(int made, int depth) {
        if (made < 0 || depth == 0 || !(method.op(made) instanceof InsnOp op)) {
            return null;
        }
        if (op.opcode() == Opcodes.NEW) {
            return ((TypeInsnNode) op.insn()).desc;
        }
        MethodInsnNode call = op.method();
        if (call == null || method.effects().settingOf(op) != null) {
            return null;
        }
        if (op.opcode() == Opcodes.INVOKESTATIC) {
            MethodNode target = declared(call.owner, call);
            return target == null ? null : madeBy(target);
        }
        if (op.opcode() != Opcodes.INVOKEVIRTUAL) {
            return null;
        }
        String type = classOf(method.whole().origin(made, op.uses().get(0)), depth - 1);
        MethodNode target = type == null ? null : declared(type, call);
        return target != null && returnsItself(target) ? type : null;
    }

    private @Nullable MethodNode declared(String owner, MethodInsnNode call) {
        ClassNode node =
                owner.startsWith("java/") ? null : method.helpers().effects().classOf(owner);
        if (node != null) {
            for (MethodNode each : node.methods) {
                boolean isIt = each.name.equals(call.name) && each.desc.equals(call.desc);
                if (isIt && (each.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0) {
                    return each;
                }
            }
        }
        return null;
    }

    /** Whether a method returns its object, and nothing else. */
    private static boolean returnsItself(MethodNode method) {
        AbstractInsnNode before = null;
        for (AbstractInsnNode insn : method.instructions) {
            boolean isSet = insn.getOpcode() == Opcodes.ASTORE && ((VarInsnNode) insn).var == 0;
            boolean isOther = insn.getOpcode() == Opcodes.ARETURN
                    && !(before != null && before.getOpcode() == Opcodes.ALOAD && ((VarInsnNode) before).var == 0);
            if (isSet || isOther) {
                return false;
            }
            before = insn.getOpcode() < 0 && insn.getType() != AbstractInsnNode.LABEL ? before : insn;
        }
        return true;
    }

    /** The class of which a method only returns new objects: it is nothing but {@code return new Type(..)}; else null. */
    private static @Nullable String madeBy(MethodNode method) {
        String type = null;
        AbstractInsnNode before = null;
        for (AbstractInsnNode insn : method.instructions) {
            switch (insn.getOpcode()) {
                case Opcodes.NEW -> {
                    if (type != null) {
                        return null;
                    }
                    type = ((TypeInsnNode) insn).desc;
                }
                case Opcodes.ARETURN -> {
                    boolean isNew = before instanceof MethodInsnNode made
                            && made.name.equals("<init>")
                            && made.owner.equals(type);
                    return isNew ? type : null;
                }
                case -1,
                        Opcodes.DUP,
                        Opcodes.INVOKESPECIAL,
                        Opcodes.ALOAD,
                        Opcodes.ILOAD,
                        Opcodes.LLOAD,
                        Opcodes.DLOAD,
                        Opcodes.FLOAD -> {}
                default -> {
                    return null;
                }
            }
            before = insn.getOpcode() < 0 ? before : insn;
        }
        return null;
    }
}
