package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * {@code def = instruction(uses)}: arithmetic, arrays, fields, allocation, casts, calls, monitors and {@code IINC}.
 *
 * <p>The ASM node is the instruction; its operands and result are the registers of the op. It is shared between copies
 * and must not be changed. {@code IINC} reads its one use, adds the node's constant and writes the def; the node's
 * variable means nothing. A constructor call has the object as its first use and no def.
 */
public final class InsnOp extends Op {

    private final AbstractInsnNode insn;
    private final @Nullable Register def;
    private final List<Register> uses;

    /**
     * Makes an op from an instruction.
     *
     * @param insn an instruction that neither jumps nor only moves values
     * @param def the register that it writes, null if it has no result; a result that no op reads still has a register
     * @param uses the registers that it reads, in the order of its operands, the receiver first
     */
    public InsnOp(AbstractInsnNode insn, @Nullable Register def, List<Register> uses) {
        this.insn = insn;
        this.def = def;
        this.uses = List.copyOf(uses);
    }

    /** An op of an instruction without parameters of its own: arithmetic, comparison, conversion, array access. */
    public static InsnOp simple(int opcode, @Nullable Register def, Register... uses) {
        return new InsnOp(new InsnNode(opcode), def, List.of(uses));
    }

    /** A call of a static method of a class (not of an interface). */
    public static InsnOp invokeStatic(
            String owner, String name, String descriptor, @Nullable Register def, List<Register> uses) {
        return new InsnOp(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false), def, uses);
    }

    /** A call of a virtual method of a class (not of an interface); the receiver is the first use. */
    public static InsnOp invokeVirtual(
            String owner, String name, String descriptor, @Nullable Register def, List<Register> uses) {
        return new InsnOp(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, owner, name, descriptor, false), def, uses);
    }

    /** A cast to a class or array type, given by its internal name. */
    public static InsnOp checkCast(String internalName, Register def, Register use) {
        return new InsnOp(new TypeInsnNode(Opcodes.CHECKCAST, internalName), def, List.of(use));
    }

    /** The instruction. */
    public AbstractInsnNode insn() {
        return insn;
    }

    public int opcode() {
        return insn.getOpcode();
    }

    /** The method called, or null if this is not an ordinary call; {@code invokedynamic} is not. */
    public @Nullable MethodInsnNode method() {
        return insn instanceof MethodInsnNode node ? node : null;
    }

    /** The field accessed, or null. */
    public @Nullable FieldInsnNode field() {
        return insn instanceof FieldInsnNode node ? node : null;
    }

    /** The dynamic call site, or null. */
    public @Nullable InvokeDynamicInsnNode dynamic() {
        return insn instanceof InvokeDynamicInsnNode node ? node : null;
    }

    @Override
    public @Nullable Register def() {
        return def;
    }

    @Override
    public List<Register> uses() {
        return uses;
    }

    @Override
    public boolean mayThrow() {
        return Opcode.mayThrow(opcode());
    }

    @Override
    public Op copy(UnaryOperator<Register> useMap, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels) {
        return new InsnOp(insn, def == null ? null : defs.apply(def), map(uses, useMap));
    }

    @Override
    public String toString() {
        return (def == null ? "" : def + " = ") + Opcode.name(opcode()) + detail() + " " + uses;
    }

    private String detail() {
        if (insn instanceof MethodInsnNode node) {
            return " " + node.owner + "." + node.name + node.desc;
        }
        if (insn instanceof FieldInsnNode node) {
            return " " + node.owner + "." + node.name;
        }
        if (insn instanceof TypeInsnNode node) {
            return " " + node.desc;
        }
        if (insn instanceof InvokeDynamicInsnNode node) {
            return " " + node.bsm.getOwner() + "." + node.bsm.getName() + " " + node.name + node.desc;
        }
        if (insn instanceof IincInsnNode node) {
            return " " + node.incr;
        }
        if (insn instanceof IntInsnNode node) {
            return " " + node.operand;
        }
        if (insn instanceof MultiANewArrayInsnNode node) {
            return " " + Type.getType(node.desc);
        }
        return "";
    }
}
