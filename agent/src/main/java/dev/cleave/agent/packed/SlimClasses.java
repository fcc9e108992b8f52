package dev.cleave.agent.packed;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.TypePath;

/** Leaves out of class files what only compilers and reflection read: annotations and generic signatures. Code and lines stay. */
final class SlimClasses {

    private SlimClasses() {}

    /** The class file without them. */
    static byte[] slim(byte[] classFile) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile).accept(new SlimClass(writer), 0);
        return writer.toByteArray();
    }

    private static final class SlimClass extends ClassVisitor {

        SlimClass(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String above,
                String @Nullable [] interfaces) {
            super.visit(version, access, name, null, above, interfaces);
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return null;
        }

        @Override
        public @Nullable AnnotationVisitor visitTypeAnnotation(
                int reference, @Nullable TypePath path, String descriptor, boolean visible) {
            return null;
        }

        @Override
        public RecordComponentVisitor visitRecordComponent(String name, String descriptor, @Nullable String signature) {
            return new RecordComponentVisitor(Opcodes.ASM9, super.visitRecordComponent(name, descriptor, null)) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
                    return null;
                }

                @Override
                public @Nullable AnnotationVisitor visitTypeAnnotation(
                        int reference, @Nullable TypePath path, String type, boolean visible) {
                    return null;
                }
            };
        }

        @Override
        public FieldVisitor visitField(
                int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            return new FieldVisitor(Opcodes.ASM9, super.visitField(access, name, descriptor, null, value)) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
                    return null;
                }

                @Override
                public @Nullable AnnotationVisitor visitTypeAnnotation(
                        int reference, @Nullable TypePath path, String type, boolean visible) {
                    return null;
                }
            };
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new SlimMethod(super.visitMethod(access, name, descriptor, null, exceptions));
        }
    }

    private static final class SlimMethod extends MethodVisitor {

        SlimMethod(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return null;
        }

        @Override
        public @Nullable AnnotationVisitor visitTypeAnnotation(
                int reference, @Nullable TypePath path, String descriptor, boolean visible) {
            return null;
        }

        @Override
        public void visitAnnotableParameterCount(int count, boolean visible) {
            // there are none left
        }

        @Override
        public @Nullable AnnotationVisitor visitParameterAnnotation(int parameter, String descriptor, boolean visible) {
            return null;
        }

        @Override
        public @Nullable AnnotationVisitor visitInsnAnnotation(
                int reference, @Nullable TypePath path, String descriptor, boolean visible) {
            return null;
        }

        @Override
        public @Nullable AnnotationVisitor visitTryCatchAnnotation(
                int reference, @Nullable TypePath path, String descriptor, boolean visible) {
            return null;
        }

        @Override
        public @Nullable AnnotationVisitor visitLocalVariableAnnotation(
                int reference,
                @Nullable TypePath path,
                Label[] start,
                Label[] end,
                int[] index,
                String descriptor,
                boolean visible) {
            return null;
        }
    }
}
