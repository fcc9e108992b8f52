package dev.cleave.serial;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Visits all instructions of a method in the same way. */
abstract class InstructionVisitor extends MethodVisitor {

    InstructionVisitor() {
        super(Opcodes.ASM9);
    }

    /**
     * An instruction.
     *
     * @param owner of the field or method that it names, if it does
     * @param name of that
     * @param descriptor of that
     * @param local the local variable that it names, or -1
     */
    abstract void instruction(
            int opcode, @Nullable String owner, @Nullable String name, @Nullable String descriptor, int local);

    private void plain(int opcode) {
        instruction(opcode, null, null, null, -1);
    }

    @Override
    public void visitInsn(int opcode) {
        plain(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        plain(opcode);
    }

    @Override
    public void visitVarInsn(int opcode, int index) {
        instruction(opcode, null, null, null, index);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        plain(opcode);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        instruction(opcode, owner, name, descriptor, -1);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        instruction(opcode, owner, name, descriptor, -1);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        plain(Opcodes.INVOKEDYNAMIC);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        plain(opcode);
    }

    @Override
    public void visitLdcInsn(Object value) {
        plain(Opcodes.LDC);
    }

    @Override
    public void visitIincInsn(int index, int increment) {
        plain(Opcodes.IINC);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) {
        plain(Opcodes.TABLESWITCH);
    }

    @Override
    public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) {
        plain(Opcodes.LOOKUPSWITCH);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        plain(Opcodes.MULTIANEWARRAY);
    }
}
