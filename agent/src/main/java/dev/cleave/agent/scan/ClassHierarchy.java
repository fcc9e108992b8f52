package dev.cleave.agent.scan;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Reads superclasses and interfaces from class files; no class is ever loaded.
 *
 * <p>Hits and misses are remembered for good, so one hierarchy belongs to one loader.
 */
public final class ClassHierarchy {

    private static final String OBJECT = "java/lang/Object";
    private static final ClassInfo MISSING = new ClassInfo("", 0, null, List.of());

    /** The header of one class file.
     *
     * @param access the access flags of the class file
     * @param superName null for {@code java/lang/Object}
     */
    public record ClassInfo(
            String name, int access, @Nullable String superName, List<String> interfaces) {

        public ClassInfo {
            interfaces = List.copyOf(interfaces);
        }

        public boolean isInterface() {
            return (access & Opcodes.ACC_INTERFACE) != 0;
        }

        static ClassInfo read(byte[] classFile) {
            ClassReader reader;
            try {
                reader = new ClassReader(classFile);
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                return MISSING; // newer than ASM knows, or damaged
            }
            return new ClassInfo(
                    reader.getClassName(), reader.getAccess(), reader.getSuperName(), List.of(reader.getInterfaces()));
        }
    }

    private final ClassFiles files;
    private final Map<String, ClassInfo> known = new ConcurrentHashMap<>();

    public ClassHierarchy(ClassFiles files) {
        this.files = files;
    }

    /** Adds a class that is just being defined, and whose class file may differ from the loader's. */
    public void add(byte[] classFile) {
        ClassInfo info = ClassInfo.read(classFile);
        known.put(info.name(), info);
    }

    /** Returns the header of a class, null if its class file cannot be found. */
    public @Nullable ClassInfo find(String internalName) {
        ClassInfo info = known.get(internalName);
        if (info == null) {
            byte[] classFile = files.read(internalName);
            info = classFile == null ? MISSING : ClassInfo.read(classFile);
            known.put(internalName, info);
        }
        return info == MISSING ? null : info;
    }

    /** Returns the header of a class; throws {@link UnknownClassException} if its class file cannot be found. */
    public ClassInfo get(String internalName) {
        ClassInfo info = find(internalName);
        if (info == null) {
            throw new UnknownClassException(internalName);
        }
        return info;
    }

    /**
     * The class that the verifier may use for a value that is one or the other.
     *
     * @param first internal name of a class or interface, or descriptor of an array
     * @param second the same
     * @throws UnknownClassException if the answer depends on a class that cannot be found
     */
    public String commonSuperClass(String first, String second) {
        if (first.equals(second)) {
            return first;
        }
        if (first.equals(OBJECT) || second.equals(OBJECT)) {
            return OBJECT;
        }
        if (first.startsWith("[") || second.startsWith("[")) {
            return first.startsWith("[") && second.startsWith("[") ? commonArray(first, second) : OBJECT;
        }
        Set<String> chain = new LinkedHashSet<>();
        for (ClassInfo info = get(first); info.superName() != null; info = get(info.superName())) {
            if (info.isInterface()) {
                return OBJECT;
            }
            chain.add(info.name());
            if (info.superName().equals(OBJECT)) {
                break;
            }
        }
        for (ClassInfo info = get(second); info.superName() != null; info = get(info.superName())) {
            if (info.isInterface() || chain.contains(info.name())) {
                return info.isInterface() ? OBJECT : info.name();
            }
            if (info.superName().equals(OBJECT)) {
                break;
            }
        }
        return OBJECT;
    }

    private String commonArray(String first, String second) {
        Type left = Type.getType(first).getElementType();
        Type right = Type.getType(second).getElementType();
        int leftDepth = Type.getType(first).getDimensions();
        int rightDepth = Type.getType(second).getDimensions();
        int depth = Math.min(leftDepth, rightDepth);
        boolean leftPrimitive = left.getSort() != Type.OBJECT;
        boolean rightPrimitive = right.getSort() != Type.OBJECT;
        if (leftDepth == rightDepth && !leftPrimitive && !rightPrimitive) {
            return array(commonSuperClass(left.getInternalName(), right.getInternalName()), depth);
        }
        // An array of primitives is an Object one level further out; so is a deeper array for a shallower one.
        boolean shallowPrimitive = (leftDepth == depth && leftPrimitive) || (rightDepth == depth && rightPrimitive);
        int common = shallowPrimitive ? depth - 1 : depth;
        return common == 0 ? OBJECT : array(OBJECT, common);
    }

    private static String array(String internalName, int depth) {
        return "[".repeat(depth) + "L" + internalName + ";";
    }
}
