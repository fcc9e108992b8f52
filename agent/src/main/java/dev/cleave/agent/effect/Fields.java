package dev.cleave.agent.effect;

import dev.cleave.agent.scan.ClassFiles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Reads class files, keeps the last ones, and finds the effect of an access to a field. */
final class Fields {

    private static final int DEPTH = 64;
    private static final int NESTED = 4;
    private static final int MOST = 512;

    private final ClassFiles files;
    private final Map<String, @Nullable ClassNode> classes = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, @Nullable ClassNode> eldest) {
            return size() > MOST;
        }
    };

    private static final Set<String> OF_OBJECTS =
            Set.of("equals(Ljava/lang/Object;)Z", "hashCode()I", "toString()Ljava/lang/String;");

    Fields(ClassFiles files) {
        this.files = files;
    }

    /** Returns a class as read from its file, null if there is none. */
    @Nullable
    ClassNode classOf(String internalName) {
        ClassNode known = classes.get(internalName);
        if (known != null || classes.containsKey(internalName)) {
            return known;
        }
        byte[] bytes = files.read(internalName);
        ClassNode node = null;
        if (bytes != null) {
            node = new ClassNode();
            new ClassReader(bytes).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
        classes.put(internalName, node);
        return node;
    }

    /** The effect of reading or writing a field, without class initialisation. */
    Effect access(FieldInsnNode access, Access place) {
        FieldNode field = fieldOf(access);
        String name = access.owner.substring(access.owner.lastIndexOf('/') + 1).replace('$', '.') + "." + access.name;
        if (field == null) {
            return Effect.barrier(Barrier.Kind.UNKNOWN_CALL, "field " + name);
        }
        if ((field.access & Opcodes.ACC_VOLATILE) != 0) {
            return Effect.barrier(Barrier.Kind.SYNCHRONISATION, "volatile field " + name);
        }
        boolean isStatic = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
        Effect effect = isStatic ? Effect.NONE : Effect.THROWS;
        boolean isRead = access.getOpcode() == Opcodes.GETFIELD || access.getOpcode() == Opcodes.GETSTATIC;
        if (!isRead) {
            return effect.writing(place);
        }
        boolean isConstant = (field.access & Opcodes.ACC_FINAL) != 0;
        return isConstant ? effect : effect.reading(place);
    }

    /** Whether a value of the type, and all that it refers to, is immutable. */
    boolean isImmutable(Type type, int depth) {
        if (ValueTypes.isValue(type)) {
            return true;
        }
        if (type.getSort() != Type.OBJECT || depth > NESTED) {
            return false;
        }
        ClassNode node = classOf(type.getInternalName());
        if (node == null || (node.access & (Opcodes.ACC_FINAL | Opcodes.ACC_ENUM)) == 0) {
            return false;
        }
        if ((node.access & Opcodes.ACC_ENUM) != 0) {
            return true; // an enum constant is written as its name
        }
        if (!"java/lang/Object".equals(node.superName) && !"java/lang/Record".equals(node.superName)) {
            return false;
        }
        for (FieldNode field : node.fields) {
            boolean counts = (field.access & Opcodes.ACC_STATIC) == 0;
            boolean isFixed =
                    (field.access & Opcodes.ACC_FINAL) != 0 && isImmutable(Type.getType(field.desc), depth + 1);
            if (counts && !isFixed) {
                return false;
            }
        }
        return true;
    }

    /** Whether a type is an enum of the program whose constants have no code of their own, and no text but their names. */
    boolean isPlainEnum(Type type) {
        ClassNode node = type.getSort() == Type.OBJECT ? classOf(type.getInternalName()) : null;
        return node != null
                && (node.access & (Opcodes.ACC_ENUM | Opcodes.ACC_FINAL)) == (Opcodes.ACC_ENUM | Opcodes.ACC_FINAL)
                && node.methods.stream()
                        .noneMatch(method -> method.name.equals("toString") && method.desc.startsWith("()"));
    }

    /**
     * Whether a type is a record of values whose {@code equals}, {@code hashCode} and {@code toString} are the compiler's, and which has no
     * order.
     */
    boolean isPlainRecord(Type type) {
        return isPlainRecord(type, 0);
    }

    private boolean isPlainRecord(Type type, int depth) {
        ClassNode node = type.getSort() == Type.OBJECT && depth <= NESTED ? classOf(type.getInternalName()) : null;
        if (node == null || !"java/lang/Record".equals(node.superName)) {
            return false;
        }
        int generated = 0;
        for (MethodNode method : node.methods) {
            if (method.name.equals("compareTo")) {
                return false;
            }
            if (OF_OBJECTS.contains(method.name + method.desc)) {
                generated += isGenerated(method) ? 1 : 0;
            }
        }
        return generated == OF_OBJECTS.size()
                && node.fields.stream()
                        .filter(field -> (field.access & Opcodes.ACC_STATIC) == 0)
                        .map(field -> Type.getType(field.desc))
                        .allMatch(each ->
                                ValueTypes.isValue(each) || isPlainEnum(each) || isPlainRecord(each, depth + 1));
    }

    /** Whether a compiler has written a method of a record. */
    private static boolean isGenerated(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof InvokeDynamicInsnNode site
                    && site.bsm.getOwner().equals("java/lang/runtime/ObjectMethods")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a class may use a member only because it is a subclass of the one that declares it: protected, in another package. */
    boolean isForSubclasses(String user, String named, String member, String descriptor) {
        String owner = named;
        for (int i = 0; i < DEPTH && owner != null; i++) {
            ClassNode node = classOf(owner);
            if (node == null) {
                return false;
            }
            int access = accessOf(node, member, descriptor);
            if (access >= 0) {
                return (access & Opcodes.ACC_PROTECTED) != 0
                        && !packageOf(owner).equals(packageOf(user));
            }
            owner = node.superName;
        }
        return false;
    }

    private static int accessOf(ClassNode node, String member, String descriptor) {
        for (FieldNode field : node.fields) {
            if (field.name.equals(member) && field.desc.equals(descriptor)) {
                return field.access;
            }
        }
        for (MethodNode method : node.methods) {
            if (method.name.equals(member) && method.desc.equals(descriptor)) {
                return method.access;
            }
        }
        return -1;
    }

    private static String packageOf(String internalName) {
        return internalName.substring(0, internalName.lastIndexOf('/') + 1);
    }

    private @Nullable FieldNode fieldOf(FieldInsnNode access) {
        String owner = access.owner;
        for (int i = 0; i < DEPTH && owner != null; i++) {
            ClassNode node = classOf(owner);
            if (node == null) {
                return null;
            }
            for (FieldNode field : node.fields) {
                if (field.name.equals(access.name) && field.desc.equals(access.desc)) {
                    return field;
                }
            }
            owner = node.superName;
        }
        return null;
    }
}
