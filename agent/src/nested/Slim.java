import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
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

/**
 * Copies a jar without what only compilers read in class files: generic signatures, and annotations, of which the agent's classes have none
 * that they read themselves. The build runs it from its source.
 */
public final class Slim {

    private Slim() {}

    /** Copies the first jar to the second one. */
    public static void main(String[] jars) throws IOException {
        try (ZipFile from = new ZipFile(jars[0]);
                OutputStream file = Files.newOutputStream(Path.of(jars[1]));
                ZipOutputStream to = new ZipOutputStream(file)) {
            Enumeration<? extends ZipEntry> entries = from.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                to.putNextEntry(new ZipEntry(entry.getName()));
                try (InputStream in = from.getInputStream(entry)) {
                    byte[] bytes = in.readAllBytes();
                    to.write(entry.getName().endsWith(".class") ? slim(bytes) : bytes);
                }
                to.closeEntry();
            }
        }
    }

    private static byte[] slim(byte[] file) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(file).accept(new SlimClass(writer), 0);
        return writer.toByteArray();
    }

    private static final class SlimClass extends ClassVisitor {

        SlimClass(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            super.visit(version, access, name, null, parent, interfaces);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String type, boolean visible) {
            return null;
        }

        @Override
        public AnnotationVisitor visitTypeAnnotation(int reference, TypePath path, String type, boolean visible) {
            return null;
        }

        @Override
        public FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
            return new FieldVisitor(Opcodes.ASM9, super.visitField(access, name, type, null, value)) {
                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return null;
                }

                @Override
                public AnnotationVisitor visitTypeAnnotation(int at, TypePath path, String annotation, boolean visible) {
                    return null;
                }
            };
        }

        @Override
        public RecordComponentVisitor visitRecordComponent(String name, String type, String signature) {
            return new RecordComponentVisitor(Opcodes.ASM9, super.visitRecordComponent(name, type, null)) {
                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return null;
                }

                @Override
                public AnnotationVisitor visitTypeAnnotation(int at, TypePath path, String annotation, boolean visible) {
                    return null;
                }
            };
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            return new SlimMethod(super.visitMethod(access, name, type, null, thrown));
        }
    }

    private static final class SlimMethod extends MethodVisitor {

        SlimMethod(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String type, boolean visible) {
            return null;
        }

        @Override
        public AnnotationVisitor visitTypeAnnotation(int reference, TypePath path, String type, boolean visible) {
            return null;
        }

        @Override
        public AnnotationVisitor visitParameterAnnotation(int parameter, String type, boolean visible) {
            return null;
        }

        @Override
        public AnnotationVisitor visitInsnAnnotation(int reference, TypePath path, String type, boolean visible) {
            return null;
        }

        @Override
        public AnnotationVisitor visitTryCatchAnnotation(int reference, TypePath path, String type, boolean visible) {
            return null;
        }

        @Override
        public AnnotationVisitor visitLocalVariableAnnotation(
                int reference, TypePath path, Label[] from, Label[] to, int[] index, String type, boolean visible) {
            return null;
        }
    }
}
