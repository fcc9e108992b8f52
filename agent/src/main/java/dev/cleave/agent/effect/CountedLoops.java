package dev.cleave.agent.effect;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Whether the loops of a method certainly end: each counts a variable in one direction and leaves by a comparison of
 * it, or asks an iterator.
 */
final class CountedLoops {

    private CountedLoops() {}

    static boolean allIn(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof TableSwitchInsnNode || insn instanceof LookupSwitchInsnNode) {
                continue; // compilers do not jump back by a switch; a back jump by one is a loop with another jump
            }
            if (insn instanceof JumpInsnNode jump && isBack(method, jump) && !ends(method, jump)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBack(MethodNode method, JumpInsnNode jump) {
        return method.instructions.indexOf(jump.label) < method.instructions.indexOf(jump);
    }

    private static boolean ends(MethodNode method, JumpInsnNode back) {
        for (AbstractInsnNode insn = back.label; insn != back && insn != null; insn = insn.getNext()) {
            if (insn instanceof MethodInsnNode call && call.name.equals("hasNext")) {
                return true;
            }
            if (insn instanceof IincInsnNode step && isOnlyStep(back, step) && leavesBy(method, back, step)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOnlyStep(JumpInsnNode back, IincInsnNode step) {
        for (AbstractInsnNode insn = back.label; insn != back && insn != null; insn = insn.getNext()) {
            boolean other = insn instanceof IincInsnNode inc && inc != step && inc.var == step.var;
            boolean store = insn instanceof VarInsnNode var && var.getOpcode() == Opcodes.ISTORE && var.var == step.var;
            if (other || store) {
                return false;
            }
        }
        return step.incr != 0;
    }

    /** An ordered comparison of the counter with something leaves the loop. */
    private static boolean leavesBy(MethodNode method, JumpInsnNode back, IincInsnNode step) {
        int start = method.instructions.indexOf(back.label);
        int end = method.instructions.indexOf(back);
        for (int i = start; i <= end; i++) {
            if (!(method.instructions.get(i) instanceof JumpInsnNode jump) || !isOrdered(jump.getOpcode())) {
                continue;
            }
            int target = method.instructions.indexOf(jump.label);
            boolean leaves = target > end || target < start || jump == back;
            if (leaves && readsBefore(method, i, start, step.var)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOrdered(int opcode) {
        return opcode >= Opcodes.IFLT && opcode <= Opcodes.IFLE
                || opcode >= Opcodes.IF_ICMPLT && opcode <= Opcodes.IF_ICMPLE;
    }

    private static boolean readsBefore(MethodNode method, int jump, int start, int variable) {
        for (int i = jump - 1; i >= start && i >= jump - 8; i--) {
            AbstractInsnNode insn = method.instructions.get(i);
            if (insn instanceof JumpInsnNode) {
                return false;
            }
            if (insn instanceof VarInsnNode load && load.getOpcode() == Opcodes.ILOAD && load.var == variable) {
                return true;
            }
        }
        return false;
    }
}
