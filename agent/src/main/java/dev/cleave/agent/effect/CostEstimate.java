package dev.cleave.agent.effect;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Estimates the cost of a call in instructions: a rough guess, used only to decide what pays. */
final class CostEstimate {

    /** The estimate for a loop, whatever it does. */
    private static final int LOOP = 500;

    private static final int JDK_CALL = 10;
    private static final int DEPTH = 3;

    private final Fields fields;

    CostEstimate(Fields fields) {
        this.fields = fields;
    }

    /** The estimate for a call. */
    int of(MethodInsnNode call) {
        return of(call, 0);
    }

    private int of(MethodInsnNode call, int depth) {
        boolean isBox = call.owner.startsWith("java/lang/") && call.name.endsWith("alueOf")
                || call.name.endsWith("Value")
                || call.name.equals("<init>") && call.owner.equals("java/lang/Object");
        if (isBox) {
            return 1;
        }
        MethodNode method = call.owner.startsWith("java/") || depth > DEPTH ? null : find(call);
        return method == null ? JDK_CALL : inside(method, depth);
    }

    private int inside(MethodNode method, int depth) {
        int sum = 0;
        for (AbstractInsnNode insn : method.instructions) {
            boolean isBack = insn instanceof JumpInsnNode jump
                    && method.instructions.indexOf(jump.label) < method.instructions.indexOf(insn);
            if (isBack || sum > LOOP) {
                return LOOP;
            }
            if (insn instanceof MethodInsnNode call) {
                sum += of(call, depth + 1);
            } else if (insn.getOpcode() >= 0) {
                sum++;
            }
        }
        return sum;
    }

    private @Nullable MethodNode find(MethodInsnNode call) {
        String owner = call.owner;
        while (owner != null) {
            ClassNode node = fields.classOf(owner);
            if (node == null) {
                return null;
            }
            for (MethodNode method : node.methods) {
                if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
                    return method;
                }
            }
            owner = node.superName;
        }
        return null;
    }
}
