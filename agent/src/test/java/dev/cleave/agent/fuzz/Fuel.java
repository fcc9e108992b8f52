package dev.cleave.agent.fuzz;

import java.io.Serial;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Bounds how often one run of a program may jump back, so that one that never ends is a difference and not a hang. */
public final class Fuel {

    private static final int FULL = 1_000_000;

    private static int left;

    private Fuel() {}

    /** What ends a run that takes too long; a program as written never does. */
    static final class Spent extends Error {

        @Serial
        private static final long serialVersionUID = 1;
    }

    /** Begins a run. The runs of one class loader are those of one thread. */
    static void fill() {
        left = FULL;
    }

    /** Metered code calls this. */
    public static void burn() {
        if (--left < 0) {
            throw new Spent();
        }
    }

    /** A class file whose jumps back burn. */
    static byte[] meter(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        return new Meter(super.visitMethod(access, name, descriptor, signature, exceptions));
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Meter extends MethodVisitor {

        private final Set<Label> passed = new HashSet<>();

        Meter(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label target) {
            if (passed.contains(target)) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/cleave/agent/fuzz/Fuel", "burn", "()V", false);
            }
            super.visitJumpInsn(opcode, target);
        }
    }
}
