package dev.cleave.agent.mutation;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Puts other code into methods. What it does not find it leaves as it is. */
final class Bodies {

    private Bodies() {}

    /** All methods of this name do nothing but return the value. */
    static byte[] returning(String method, String value, byte[] classFile) {
        return rewrite(classFile, (next, access, name, descriptor) -> {
            boolean isMeant = name.equals(method) && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            return isMeant ? new Replaced(next, access, descriptor, value) : next;
        });
    }

    /**
     * Calls of a method have the value.
     *
     * @param isMade whether they are made all the same
     */
    static byte[] answering(String owner, String method, boolean isMade, String value, byte[] classFile) {
        boolean[] isFound = {false};
        byte[] changed =
                rewrite(classFile, (next, access, caller, descriptor) -> new MethodVisitor(Opcodes.ASM9, next) {
                    @Override
                    public void visitMethodInsn(int opcode, String type, String name, String called, boolean itf) {
                        if (!type.replace('/', '.').equals(owner) || !name.equals(method)) {
                            super.visitMethodInsn(opcode, type, name, called, itf);
                            return;
                        }
                        isFound[0] = true;
                        if (isMade) {
                            super.visitMethodInsn(opcode, type, name, called, itf);
                            pop(this, Type.getReturnType(called));
                        } else {
                            Type[] arguments = Type.getArgumentTypes(called);
                            for (int i = arguments.length - 1; i >= 0; i--) {
                                pop(this, arguments[i]);
                            }
                            if (opcode != Opcodes.INVOKESTATIC) {
                                visitInsn(Opcodes.POP);
                            }
                        }
                        push(this, value);
                    }
                });
        return isFound[0] ? changed : classFile;
    }

    /** {@code Effect.barrier} of a kind is an effect that nothing needs to respect, but that may throw. */
    static byte[] openBarrier(String kind, byte[] classFile) {
        String effect = "dev/cleave/agent/effect/Effect";
        String kinds = "dev/cleave/agent/effect/Barrier$Kind";
        return rewrite(classFile, (next, access, name, descriptor) -> {
            if (!name.equals("barrier") || !descriptor.startsWith("(L" + kinds)) {
                return next;
            }
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    Label other = new Label();
                    visitVarInsn(Opcodes.ALOAD, 0);
                    visitFieldInsn(Opcodes.GETSTATIC, kinds, kind, "L" + kinds + ";");
                    visitJumpInsn(Opcodes.IF_ACMPNE, other);
                    visitFieldInsn(Opcodes.GETSTATIC, effect, "THROWS", "L" + effect + ";");
                    visitInsn(Opcodes.ARETURN);
                    visitLabel(other);
                    visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                }
            };
        });
    }

    private static void pop(MethodVisitor to, Type type) {
        to.visitInsn(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
    }

    private static void push(MethodVisitor to, String value) {
        switch (value) {
            case "true", "1" -> to.visitInsn(Opcodes.ICONST_1);
            case "false" -> to.visitInsn(Opcodes.ICONST_0);
            case "arg1" -> to.visitVarInsn(Opcodes.ALOAD, 1);
            case "null" -> to.visitInsn(Opcodes.ACONST_NULL);
            case "emptyList" ->
                to.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/List", "of", "()Ljava/util/List;", true);
            case "emptyMap" ->
                to.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/Map", "of", "()Ljava/util/Map;", true);
            default -> throw new IllegalArgumentException("value: " + value);
        }
    }

    private interface Change {
        MethodVisitor apply(MethodVisitor next, int access, String name, String descriptor);
    }

    private static byte[] rewrite(byte[] classFile, Change change) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        boolean[] isChanged = {false};
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                        MethodVisitor changed = change.apply(next, access, name, descriptor);
                        isChanged[0] |= changed != next;
                        return changed;
                    }
                },
                0);
        return isChanged[0] ? writer.toByteArray() : classFile;
    }

    /** Writes its own code when that of the method comes, and lets the method's pass by. */
    private static final class Replaced extends MethodVisitor {

        private final MethodVisitor next;
        private final int access;
        private final String descriptor;
        private final String value;

        Replaced(MethodVisitor next, int access, String descriptor, String value) {
            super(Opcodes.ASM9);
            this.next = next;
            this.access = access;
            this.descriptor = descriptor;
            this.value = value;
        }

        @Override
        public void visitCode() {
            next.visitCode();
            Type result = Type.getReturnType(descriptor);
            if (result.getSort() != Type.VOID) {
                push(next, value);
            }
            next.visitInsn(result.getOpcode(Opcodes.IRETURN));
            int arguments = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
            next.visitMaxs(1, (access & Opcodes.ACC_STATIC) == 0 ? arguments : arguments - 1);
            next.visitEnd();
        }
    }
}
