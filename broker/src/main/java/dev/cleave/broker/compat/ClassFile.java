package dev.cleave.broker.compat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The facts of a class file on which calls and values depend. Names are internal names. */
final class ClassFile {

    String name = "";
    int access;

    @Nullable
    String signature;

    @Nullable
    String above;

    List<String> interfaces = List.of();
    final List<String> permitted = new ArrayList<>();
    final Set<String> annotations = new HashSet<>(); // descriptors
    final Map<String, Method> methods = new LinkedHashMap<>(); // by name and descriptor
    final List<Field> fields = new ArrayList<>();

    @Nullable
    Object version; // serialVersionUID

    /** A method. */
    static final class Method {
        final int access;
        final String name;
        final String descriptor;
        final @Nullable String signature;
        final List<String> thrown;
        final Set<String> annotations = new HashSet<>();

        Method(int access, String name, String descriptor, @Nullable String signature, List<String> thrown) {
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
            this.signature = signature;
            this.thrown = thrown;
        }
    }

    /** A field. */
    record Field(
            int access,
            String name,
            String descriptor,
            @Nullable String signature) {

        boolean travels() {
            return (access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC)) == 0;
        }

        boolean isConstant() {
            return (access & Opcodes.ACC_ENUM) != 0;
        }
    }

    static ClassFile read(byte[] bytes) {
        ClassFile file = new ClassFile();
        new ClassReader(bytes).accept(file.new Visitor(), ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        return file;
    }

    boolean is(int flag) {
        return (access & flag) != 0;
    }

    boolean isEnum() {
        return is(Opcodes.ACC_ENUM);
    }

    boolean isRecord() {
        return "java/lang/Record".equals(above);
    }

    /** The hooks of the JDK's serialization that the class itself has. */
    Set<String> hooks() {
        Set<String> hooks = new HashSet<>();
        for (Method method : methods.values()) {
            boolean isHook =
                    switch (method.name + method.descriptor) {
                        case "writeObject(Ljava/io/ObjectOutputStream;)V",
                                "readObject(Ljava/io/ObjectInputStream;)V",
                                "readObjectNoData()V" -> (method.access & Opcodes.ACC_PRIVATE) != 0 && !isRecord();
                        default -> false;
                    };
            if (isHook) {
                hooks.add(method.name);
            }
        }
        if (interfaces.contains("java/io/Externalizable")) {
            hooks.add("Externalizable");
        }
        return hooks;
    }

    private final class Visitor extends ClassVisitor {

        Visitor() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int major,
                int flags,
                String own,
                @Nullable String generic,
                @Nullable String superName,
                String @Nullable [] supers) {
            name = own;
            access = flags;
            signature = generic;
            above = superName;
            interfaces = supers == null ? List.of() : List.of(supers);
        }

        @Override
        public void visitPermittedSubclass(String subclass) {
            permitted.add(subclass);
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            annotations.add(descriptor);
            return null;
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int flags, String field, String descriptor, @Nullable String generic, @Nullable Object value) {
            fields.add(new Field(flags, field, descriptor, generic));
            if (field.equals("serialVersionUID")) {
                version = value;
            }
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int flags, String method, String descriptor, @Nullable String generic, String @Nullable [] thrown) {
            Method made = new Method(flags, method, descriptor, generic, thrown == null ? List.of() : List.of(thrown));
            methods.put(method + descriptor, made);
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    made.annotations.add(annotation);
                    return null;
                }
            };
        }
    }
}
