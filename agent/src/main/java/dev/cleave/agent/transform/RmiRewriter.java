package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.scan.RmiMention;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Replaces calls of {@code java.rmi} that export and find objects by calls of the core, which exports and finds them
 * for Cleave, too. Calls with socket factories or filters of the program stay. Safe for use by any thread.
 */
public final class RmiRewriter {

    private static final String CALLS = CoreNames.RMI_CALLS;
    private static final String SERVER = "java/rmi/server/UnicastRemoteObject";
    private static final String REMOTE_SERVER = "java/rmi/server/RemoteServer";
    private static final String REMOTE_OBJECT = "java/rmi/server/RemoteObject";
    private static final String REGISTRY = "java/rmi/registry/Registry";
    private static final String LOCATE = "java/rmi/registry/LocateRegistry";
    private static final String NAMING = "java/rmi/Naming";
    private static final String FACTORY = "java/rmi/server/RMISocketFactory";
    private static final String AT_PORT_BY_FACTORIES =
            "(ILjava/rmi/server/RMIClientSocketFactory;Ljava/rmi/server/RMIServerSocketFactory;)V";
    private static final Set<String> CONTEXTS = Set.of(
            "javax/naming/Context",
            "javax/naming/InitialContext",
            "javax/naming/directory/DirContext",
            "javax/naming/directory/InitialDirContext");
    private static final Set<String> LOOKUPS =
            Set.of("(Ljava/lang/String;)Ljava/lang/Object;", "(Ljavax/naming/Name;)Ljava/lang/Object;");
    private static final Set<String> CONTEXT_BINDINGS =
            Set.of("(Ljava/lang/String;Ljava/lang/Object;)V", "(Ljavax/naming/Name;Ljava/lang/Object;)V");
    private static final Set<String> BINDINGS = Set.of("lookup", "bind", "rebind");
    private static final Set<String> CONTEXT_METHODS = Set.of("lookup", "doLookup", "lookupLink", "bind", "rebind");
    private static final int MOST_SUPERCLASSES = 64;

    private final Function<String, byte @Nullable []> files;

    /** Creates a rewriter that reads superclasses from {@code files}, by internal name. */
    public RmiRewriter(Function<String, byte @Nullable []> files) {
        this.files = requireNonNull(files, "files");
    }

    /** Returns the class with its calls replaced; null if there are none. */
    public byte @Nullable [] rewritten(byte[] classFile) {
        if (!RmiMention.isIn(classFile) || Weaver.tooNew(classFile) != null) {
            return null;
        }
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        Classes classes = new Classes(writer);
        reader.accept(classes, 0);
        return classes.changed ? writer.toByteArray() : null;
    }

    private final class Classes extends ClassVisitor {

        private boolean changed;
        private String name = "";
        private @Nullable String above;

        Classes(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            this.name = name;
            above = superName;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
            return new Calls(next, method.equals("<init>") && SERVER.equals(above));
        }

        /** Whether a class inherits the static methods of RMI's servers. */
        private boolean isServer(String owner) {
            String at = owner;
            for (int i = 0; i < MOST_SUPERCLASSES && at != null; i++) {
                if (at.equals(SERVER) || at.equals(REMOTE_SERVER) || at.equals(REMOTE_OBJECT)) {
                    return true;
                }
                if (at.startsWith("java/") || at.startsWith("[")) {
                    return false;
                }
                if (at.equals(name)) {
                    at = above;
                } else {
                    byte[] file = files.apply(at);
                    at = file == null ? null : new ClassReader(file).getSuperName();
                }
            }
            return false;
        }

        private final class Calls extends MethodVisitor {

            private final boolean isConstructor;

            Calls(MethodVisitor next, boolean isConstructor) {
                super(Opcodes.ASM9, next);
                this.isConstructor = isConstructor;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isOf) {
                if (isConstructor && opcode == Opcodes.INVOKESPECIAL && owner.equals(SERVER)) {
                    constructor(method, descriptor, isOf);
                    return;
                }
                String replaced = replacement(opcode, owner, method, descriptor);
                if (replaced != null) {
                    changed = true;
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, method, replaced, false);
                    return;
                }
                boolean isNaming = CONTEXT_METHODS.contains(method) && CONTEXTS.contains(owner);
                if (isNaming && CONTEXT_BINDINGS.contains(descriptor)) {
                    ofNaming("given"); // the last argument
                }
                super.visitMethodInsn(opcode, owner, method, descriptor, isOf);
                if (isNaming && LOOKUPS.contains(descriptor)) {
                    ofNaming("found");
                }
            }

            /** Method references to the methods that are replaced. */
            @Override
            public void visitInvokeDynamicInsn(
                    String method, String descriptor, Handle bootstrap, Object... constants) {
                Object[] replaced = constants.clone();
                for (int i = 0; i < replaced.length; i++) {
                    if (replaced[i] instanceof Handle handle) {
                        replaced[i] = replacement(handle);
                    }
                }
                super.visitInvokeDynamicInsn(method, descriptor, bootstrap, replaced);
            }

            private Handle replacement(Handle handle) {
                int opcode =
                        switch (handle.getTag()) {
                            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
                            case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
                            default -> Opcodes.NOP;
                        };
                String replaced = replacement(opcode, handle.getOwner(), handle.getName(), handle.getDesc());
                if (replaced == null) {
                    return handle;
                }
                changed = true;
                return new Handle(Opcodes.H_INVOKESTATIC, CALLS, handle.getName(), replaced, false);
            }

            /** Passes the object on top of the stack through a method of the core. */
            private void ofNaming(String method) {
                changed = true;
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC, CALLS, method, "(Ljava/lang/Object;)Ljava/lang/Object;", false);
            }

            /** The descriptor of the static method of the core that replaces a call; null if it stays. */
            private @Nullable String replacement(int opcode, String owner, String method, String descriptor) {
                if (opcode == Opcodes.INVOKEINTERFACE) {
                    return owner.equals(REGISTRY) && BINDINGS.contains(method)
                            ? "(L" + REGISTRY + ";" + descriptor.substring(1)
                            : null;
                }
                if (opcode != Opcodes.INVOKESTATIC) {
                    return null;
                }
                boolean isReplaced =
                        switch (method) {
                            case "lookup", "bind", "rebind" -> owner.equals(NAMING);
                            case "createRegistry" -> owner.equals(LOCATE) && descriptor.startsWith("(I)");
                            case "setSocketFactory", "getSocketFactory" -> owner.equals(FACTORY);
                            case "toStub" ->
                                descriptor.equals("(Ljava/rmi/Remote;)Ljava/rmi/Remote;") && isServer(owner);
                            case "exportObject" ->
                                descriptor.equals("(Ljava/rmi/Remote;I)Ljava/rmi/Remote;") && isServer(owner);
                            case "unexportObject" -> descriptor.equals("(Ljava/rmi/Remote;Z)Z") && isServer(owner);
                            case "getClientHost" -> descriptor.equals("()Ljava/lang/String;") && isServer(owner);
                            default -> false;
                        };
                return isReplaced ? descriptor : null;
            }

            /** A constructor of the superclass exports the object, whose place on the stack is free behind it. */
            private void constructor(String method, String descriptor, boolean isOf) {
                if (descriptor.equals(AT_PORT_BY_FACTORIES)) {
                    super.visitMethodInsn(Opcodes.INVOKESPECIAL, SERVER, method, descriptor, isOf);
                    return;
                }
                changed = true;
                super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "prepare", "()V", false);
                super.visitMethodInsn(Opcodes.INVOKESPECIAL, SERVER, method, descriptor, isOf);
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "exported", "(Ljava/lang/Object;)V", false);
            }
        }
    }
}
