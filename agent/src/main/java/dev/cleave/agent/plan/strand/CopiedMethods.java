package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The methods of a class whose code strands can copy. */
public final class CopiedMethods {

    private static final int MOST_INSTRUCTIONS = 3_000;

    private CopiedMethods() {}

    /** The helper that is written in the place of a call of a class, null if none is. */
    static @Nullable MethodNode target(Callees in, MethodInsnNode call) {
        MethodNode target = in.targetOf(call);
        if (target == null || !in.hidesRemote(call) || in.isExcluded(target)) {
            return null;
        }
        boolean isCopied = in.isFinal(target) || in.exact() != null && !callsItself(in, target);
        return isCopied && isPlain(target) ? target : null;
    }

    /** Whether a method of a class calls itself. */
    static boolean callsItself(Callees in, MethodNode code) {
        for (AbstractInsnNode insn : code.instructions) {
            if (insn instanceof MethodInsnNode call && in.targetOf(call) == code) {
                return true;
            }
        }
        return false;
    }

    /** The class that the object of a call of such a helper must be of, null if the call certainly calls it. */
    static @Nullable String exact(Callees in, MethodInsnNode call, MethodNode target) {
        return in.isFinal(target) || call.getOpcode() == Opcodes.INVOKESPECIAL ? null : in.exact();
    }

    /** The method of another class that is written in the place of a call of a class, null if none is. */
    static @Nullable Callee elsewhere(Callees in, MethodInsnNode call) {
        Callee callee = in.targetOf(call) == null ? in.elsewhere(call) : null;
        return callee != null && isPlain(callee.code()) ? callee : null;
    }

    /** Whether strands can copy the code of a method. */
    public static boolean isPlain(MethodNode method) {
        return (method.access & (Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_BRIDGE)) == 0
                && method.instructions.size() <= MOST_INSTRUCTIONS;
    }
}
