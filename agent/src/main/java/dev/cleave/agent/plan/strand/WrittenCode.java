package dev.cleave.agent.plan.strand;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;

/** Code that is written from that of a method and of others, with the locals and the stack that it needs. */
final class WrittenCode {

    private final MethodNode code;
    private int locals;
    private int stack;

    /** Begins the code of a method, whose own locals keep their slots. */
    WrittenCode(MethodNode method) {
        code = new MethodNode(
                Opcodes.ASM9, method.access, method.name, method.desc, null, method.exceptions.toArray(new String[0]));
        locals = method.maxLocals;
        stack = method.maxStack;
    }

    /** The method that is written; its limits hold what has been reserved so far. */
    MethodNode method() {
        code.maxLocals = locals;
        code.maxStack = stack + 1;
        return code;
    }

    InsnList instructions() {
        return code.instructions;
    }

    void add(AbstractInsnNode insn) {
        code.instructions.add(insn);
    }

    /** Whether a method is the one whose code is written. */
    boolean isOf(MethodNode method) {
        return method.name.equals(code.name) && method.desc.equals(code.desc);
    }

    /** Returns the first of new locals for values of a size together. */
    int newLocals(int size) {
        int first = locals;
        locals += size;
        return first;
    }

    /** Reserves operands on the stack. */
    void grow(int operands) {
        stack += operands;
    }

    /** Moves operands to locals. */
    void store(Type[] types, int first) {
        int slot = first + size(types);
        for (int i = types.length - 1; i >= 0; i--) {
            slot -= types[i].getSize();
            add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), slot));
        }
    }

    /** Moves locals to the stack. */
    void load(Type[] types, int first) {
        int slot = first;
        for (Type type : types) {
            add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), slot));
            slot += type.getSize();
        }
    }

    /** Moves operands to new locals, as a handler finds none on the stack; returns what brings them back. */
    List<VarInsnNode> keep(List<BasicValue> operands) {
        List<VarInsnNode> back = new ArrayList<>();
        for (int i = operands.size() - 1; i >= 0; i--) {
            Type type = operands.get(i).getType();
            int local = newLocals(type.getSize());
            add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), local));
            back.add(0, new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
        }
        return back;
    }

    /** The locals that values of some types take. */
    static int size(Type[] types) {
        int size = 0;
        for (Type type : types) {
            size += type.getSize();
        }
        return size;
    }
}
