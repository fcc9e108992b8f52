package dev.cleave.agent.pretend;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Makes interfaces remote and pure, and the classes that implement them stubs: they extend {@link Pretended} and get the
 * twins. Left as they are: classes with a superclass of their own or with fields that methods write (they are not pure), and
 * hierarchies with {@code equals} or {@code hashCode}, which are final in stubs.
 */
final class StubMaker {

    private static final String STUB = Type.getInternalName(Pretended.class);
    private static final Type OBJECTS = Type.getType(Object[].class);

    private final Map<String, ClassNode> classes;
    private final Set<String> interfaces;
    private final Set<String> unfit = new HashSet<>();

    /**
     * Looks at all classes.
     *
     * @param interfaces internal names
     */
    StubMaker(Map<String, ClassNode> classes, Set<String> interfaces) {
        this.classes = classes;
        this.interfaces = interfaces;
        for (ClassNode node : classes.values()) {
            if (node.methods.stream().anyMatch(StubMaker::forbidsStub)) {
                for (ClassNode at = node; at != null; at = classes.get(at.superName)) {
                    unfit.add(at.name);
                }
            }
        }
    }

    private static boolean forbidsStub(MethodNode method) {
        String name = method.name + method.desc;
        if (name.equals("equals(Ljava/lang/Object;)Z") || name.equals("hashCode()I")) {
            return true;
        }
        if (!method.name.startsWith("<")) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn.getOpcode() == Opcodes.PUTFIELD || insn.getOpcode() == Opcodes.PUTSTATIC) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a class becomes a stub. */
    boolean makesStub(ClassNode node) {
        return (node.access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM)) == 0
                && node.superName.equals("java/lang/Object")
                && !unfit.contains(node.name)
                && !remoteOf(node).isEmpty();
    }

    private List<ClassNode> remoteOf(ClassNode node) {
        List<ClassNode> found = new ArrayList<>();
        if (interfaces.contains(node.name)) {
            found.add(node);
        }
        for (String name : node.interfaces) {
            ClassNode above = classes.get(name);
            if (above != null) {
                found.addAll(remoteOf(above));
            }
        }
        return found.stream().distinct().toList();
    }

    /** The class file as it is then, of a version that is rewritten. */
    byte[] make(byte[] file, ClassLoader loader) {
        ClassReader reader = new ClassReader(file);
        ClassNode node = classes.get(reader.getClassName());
        boolean isOld = node.version < Opcodes.V1_8;
        ClassWriter writer = new ClassWriter(isOld ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS) {
            @Override
            protected ClassLoader getClassLoader() {
                return loader;
            }
        };
        ClassVisitor changing = writer;
        if (interfaces.contains(node.name)) {
            changing = new Remoting(writer);
        } else if (makesStub(node)) {
            changing = new Stubbing(writer, node);
        }
        reader.accept(new Renewing(changing), isOld ? ClassReader.SKIP_FRAMES : 0);
        return writer.toByteArray();
    }

    /** Lifts old class files to the first version with all that is needed. */
    private static final class Renewing extends ClassVisitor {

        Renewing(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
            super.visit(Math.max(version, Opcodes.V1_8), access, name, signature, above, interfaces);
        }
    }

    /** Writes the annotations on an interface. */
    private static final class Remoting extends ClassVisitor {

        Remoting(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
            super.visit(version, access, name, signature, above, interfaces);
            visitAnnotation("Ldev/cleave/Remote;", true).visitEnd();
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, thrown);
            if ((access & Opcodes.ACC_ABSTRACT) != 0) {
                method.visitAnnotation("Ldev/cleave/Async;", true).visitEnd();
                method.visitAnnotation("Ldev/cleave/Pure;", true).visitEnd();
            }
            return method;
        }
    }

    private final class Stubbing extends ClassVisitor {

        private final ClassNode node;

        Stubbing(ClassVisitor next, ClassNode node) {
            super(Opcodes.ASM9, next);
            this.node = node;
        }

        @Override
        public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
            super.visit(version, access, name, null, STUB, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, thrown);
            if (!name.equals("<init>")) {
                return method;
            }
            return new MethodVisitor(Opcodes.ASM9, method) {
                private int open; // objects made that wait for their own constructor

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    open += opcode == Opcodes.NEW && type.equals("java/lang/Object") ? 1 : 0;
                    super.visitTypeInsn(opcode, type);
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                    boolean isObjects = called.equals("<init>") && owner.equals("java/lang/Object");
                    boolean isSuper = isObjects && open == 0;
                    open -= isObjects && !isSuper ? 1 : 0;
                    super.visitMethodInsn(opcode, isSuper ? STUB : owner, called, type, isInterface);
                }
            };
        }

        @Override
        public void visitEnd() {
            for (ClassNode remote : remoteOf(node)) {
                for (MethodNode method : remote.methods) {
                    if ((method.access & Opcodes.ACC_ABSTRACT) != 0) {
                        twin(remote, method, "send", "Ldev/cleave/call/Handle;");
                        twin(remote, method, "encode", "Ldev/cleave/call/Encoded;");
                    }
                }
            }
            super.visitEnd();
        }

        private void twin(ClassNode remote, MethodNode method, String kind, String result) {
            Type[] parameters = Type.getArgumentTypes(method.desc);
            String descriptor = Type.getMethodDescriptor(Type.getType(result), parameters);
            int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
            String name = method.name + "$" + kind;
            GeneratorAdapter code = new GeneratorAdapter(
                    super.visitMethod(access, name, descriptor, null, null), access, name, descriptor);
            code.loadThis();
            code.push(Type.getObjectType(remote.name));
            code.push(method.name + parameters.length);
            code.loadArgArray();
            code.invokeStatic(Type.getType(Pretended.class), new Method(kind, Type.getType(result), new Type[] {
                Type.getType(Pretended.class), Type.getType(Class.class), Type.getType(String.class), OBJECTS
            }));
            code.returnValue();
            code.endMethod();
        }
    }
}
