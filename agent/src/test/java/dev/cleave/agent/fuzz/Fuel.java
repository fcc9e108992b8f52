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

/**
 * Bounds how often one run of a program may jump back, so that one that never ends is a difference and not a hang; and notes whether
 * a handler of the program caught anything.
 */
public final class Fuel {

    private static final int FULL = 1_000_000;

    private static int left;
    private static boolean hasCaught;

    private Fuel() {}

    /** What ends a run that takes too long; a program as written never does. */
    static final class Spent extends Error {

        @Serial
        private static final long serialVersionUID = 1;
    }

    /** Begins a run. The runs of one class loader are those of one thread. */
    static void fill() {
        left = FULL;
        hasCaught = false;
    }

    /** Whether a handler of metered code has caught something in this run. */
    static boolean hasCaught() {
        return hasCaught;
    }

    /** Handlers of metered code call this. */
    public static void caught() {
        hasCaught = true;
    }

    /** Metered code calls this. */
    public static void burn() {
        if (--left < 0) {
            throw new Spent();
        }
    }

    /** A class file whose jumps back burn, and whose handlers are noted. */
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
        private final Set<Label> handlers = new HashSet<>();
        private boolean isAtHandler;

        Meter(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            handlers.add(handler);
            super.visitTryCatchBlock(start, end, handler, type);
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            isAtHandler |= handlers.contains(label);
            super.visitLabel(label);
        }

        @Override
        public void visitFrame(int type, int locals, Object[] local, int stack, Object[] onStack) {
            super.visitFrame(type, locals, local, stack, onStack);
            if (isAtHandler) {
                isAtHandler = false;
                call("caught");
            }
        }

        @Override
        public void visitJumpInsn(int opcode, Label target) {
            if (passed.contains(target)) {
                call("burn");
            }
            super.visitJumpInsn(opcode, target);
        }

        private void call(String name) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/cleave/agent/fuzz/Fuel", name, "()V", false);
        }
    }
}
