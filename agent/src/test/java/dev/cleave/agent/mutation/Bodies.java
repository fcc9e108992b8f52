package dev.cleave.agent.mutation;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Puts other code into methods, which runs while a mutant is {@linkplain ActiveMutant active}. */
final class Bodies {

    static final String SWITCH = Type.getInternalName(ActiveMutant.class);

    private Bodies() {}

    /** All methods of this name that can return the value do nothing else. */
    static byte[] returning(int mutant, String method, String value, byte[] classFile) {
        return rewrite(classFile, (to, next, access, name, descriptor) -> {
            boolean isMeant = name.equals(method)
                    && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0
                    && fits(Type.getReturnType(descriptor), value);
            if (!isMeant) {
                return next;
            }
            to.changes();
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    Label rest = new Label();
                    ifNot(this, mutant, rest);
                    result(this, Type.getReturnType(descriptor), value);
                    begin(this, rest);
                }
            };
        });
    }

    /**
     * Calls of a method have the value.
     *
     * @param isMade whether they are made all the same
     */
    static byte[] answering(int mutant, String owner, String method, boolean isMade, String value, byte[] classFile) {
        return rewrite(classFile, (to, next, access, in, descriptor) -> new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitMethodInsn(int opcode, String type, String name, String called, boolean itf) {
                if (!type.replace('/', '.').equals(owner) || !name.equals(method)) {
                    super.visitMethodInsn(opcode, type, name, called, itf);
                    return;
                }
                Call call = new Call(opcode, type, name, called, itf);
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC, to.name(), to.add(call, mutant, isMade, value), call.asStatic(), false);
            }
        });
    }

    /** {@code Effect.barrier} of a kind is an effect that nothing needs to respect, but that may throw. */
    static byte[] openBarrier(int mutant, String kind, byte[] classFile) {
        String effect = "dev/cleave/agent/effect/Effect";
        String kinds = "dev/cleave/agent/effect/Barrier$Kind";
        return rewrite(classFile, (to, next, access, name, descriptor) -> {
            if (!name.equals("barrier") || !descriptor.startsWith("(L" + kinds)) {
                return next;
            }
            to.changes();
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    Label rest = new Label();
                    ifNot(this, mutant, rest);
                    visitVarInsn(Opcodes.ALOAD, 0);
                    visitFieldInsn(Opcodes.GETSTATIC, kinds, kind, "L" + kinds + ";");
                    visitJumpInsn(Opcodes.IF_ACMPNE, rest);
                    visitFieldInsn(Opcodes.GETSTATIC, effect, "THROWS", "L" + effect + ";");
                    visitInsn(Opcodes.ARETURN);
                    begin(this, rest);
                }
            };
        });
    }

    /** A call that is made by a method of its own, so that the code around it needs no new frames. */
    private record Call(int opcode, String owner, String name, String descriptor, boolean isOfInterface) {

        String asStatic() {
            return opcode == Opcodes.INVOKESTATIC ? descriptor : "(L" + owner + ";" + descriptor.substring(1);
        }

        void writeTo(MethodVisitor to) {
            int local = 0;
            for (Type type : Type.getArgumentTypes(asStatic())) {
                to.visitVarInsn(type.getOpcode(Opcodes.ILOAD), local);
                local += type.getSize();
            }
            to.visitMethodInsn(opcode, owner, name, descriptor, isOfInterface);
        }
    }

    private static void ifNot(MethodVisitor to, int mutant, Label otherwise) {
        to.visitIntInsn(Opcodes.SIPUSH, mutant);
        to.visitMethodInsn(Opcodes.INVOKESTATIC, SWITCH, "is", "(I)Z", false);
        to.visitJumpInsn(Opcodes.IFEQ, otherwise);
    }

    /** The code of the method begins; what comes next may need a frame of its own. */
    private static void begin(MethodVisitor to, Label label) {
        to.visitLabel(label);
        to.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        to.visitInsn(Opcodes.NOP);
    }

    private static void result(MethodVisitor to, Type type, String value) {
        if (type.getSort() != Type.VOID) {
            push(to, value);
        }
        to.visitInsn(type.getOpcode(Opcodes.IRETURN));
    }

    private static boolean fits(Type type, String value) {
        return switch (value) {
            case "nothing" -> type.getSort() == Type.VOID;
            case "true", "false" -> type.getSort() == Type.BOOLEAN;
            case "0", "1" -> type.getSort() == Type.INT;
            case "emptyList" -> type.getClassName().equals("java.util.List");
            case "emptyMap" -> type.getClassName().equals("java.util.Map");
            default -> type.getSort() >= Type.ARRAY;
        };
    }

    private static void pop(MethodVisitor to, Type type) {
        to.visitInsn(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
    }

    private static void push(MethodVisitor to, String value) {
        switch (value) {
            case "true", "1" -> to.visitInsn(Opcodes.ICONST_1);
            case "false", "0" -> to.visitInsn(Opcodes.ICONST_0);
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
        MethodVisitor apply(Writing to, MethodVisitor next, int access, String name, String descriptor);
    }

    private static byte[] rewrite(byte[] classFile, Change change) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        Writing writing = new Writing(writer, reader.getClassName(), change);
        reader.accept(writing, 0);
        return writing.isChanged ? writer.toByteArray() : classFile;
    }

    /** Changes the methods of a class, and adds those that make calls. */
    private static final class Writing extends ClassVisitor {

        private final String name;
        private final Change change;
        private int added;
        private boolean isChanged;

        Writing(ClassVisitor next, String name, Change change) {
            super(Opcodes.ASM9, next);
            this.name = name;
            this.change = change;
        }

        String name() {
            return name;
        }

        void changes() {
            isChanged = true;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
            return change.apply(this, next, access, method, descriptor);
        }

        /** Adds a method that makes a call, or does not while the mutant is active, and returns its name. */
        String add(Call call, int mutant, boolean isMade, String value) {
            changes();
            String method = "mutant$" + mutant + "$" + added++;
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
            MethodVisitor to = super.visitMethod(access, method, call.asStatic(), null, null);
            Type type = Type.getReturnType(call.descriptor());
            if (!fits(type, value)) {
                throw new IllegalArgumentException("value: " + value + " (expected: a " + type.getClassName() + ")");
            }
            to.visitCode();
            Label rest = new Label();
            ifNot(to, mutant, rest);
            if (isMade) {
                call.writeTo(to);
                pop(to, type);
            }
            result(to, type, value);
            begin(to, rest);
            call.writeTo(to);
            to.visitInsn(type.getOpcode(Opcodes.IRETURN));
            to.visitMaxs(0, 0);
            to.visitEnd();
            return method;
        }
    }
}
