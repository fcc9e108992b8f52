package dev.cleave.agent.ir;

import dev.cleave.agent.ir.Unsupported.Reason;
import dev.cleave.agent.scan.ClassHierarchy;
import dev.cleave.agent.scan.UnknownClassException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Writes a copy of a class with some of its methods replaced.
 *
 * <p>The constant pool is copied, and every method that is not replaced is copied byte by byte. Frames of the
 * replaced ones are computed from class files.
 *
 * <p>A class file of version 50 becomes one of version 51, which may hold dynamic call sites, but needs correct frames:
 * for version 50 the JVM falls back to an older verifier if frames are wrong or missing. So the frames of all its
 * methods are computed.
 */
public final class ClassEmitter {

    /**
     * The copy of a class.
     *
     * @param classFile the new class file, or the original one if no method could be replaced
     * @param refused the methods, by name and descriptor, that stayed as they were, with the reason
     */
    public record Emitted(byte[] classFile, Map<String, Unsupported> refused) {}

    /** HotSpot's HugeMethodLimit: longer methods are interpreted for ever. */
    private static final int LARGEST_COMPILED = 8_000;

    private final ClassReader reader;
    private final boolean raises;
    private final byte[] original;
    private final ClassHierarchy hierarchy;

    /**
     * Prepares for a class.
     *
     * @param original its class file
     * @param hierarchy knows the class itself and what its loader sees
     */
    public ClassEmitter(byte[] original, ClassHierarchy hierarchy) {
        this.original = original;
        this.reader = new ClassReader(original);
        this.raises = (original[6] << Byte.SIZE | original[7] & 0xFF) == Opcodes.V1_6;
        this.hierarchy = hierarchy;
    }

    /**
     * Writes a class, with frames computed from class files.
     *
     * @param hierarchy knows the classes that it names
     * @throws Unsupported if one of them is missing, or a method has become too large for the JVM or its JIT
     */
    public static byte[] write(ClassNode node, ClassHierarchy hierarchy) throws Unsupported {
        try {
            ClassWriter writer = new HierarchyWriter(null, hierarchy);
            node.accept(writer);
            byte[] written = writer.toByteArray();
            for (int size : CodeSizes.of(written).values()) {
                if (size > LARGEST_COMPILED) {
                    throw tooLarge(size);
                }
            }
            return written;
        } catch (UnknownClassException e) {
            throw new Unsupported(Reason.UNKNOWN_CLASS, "class file not found: " + e.internalName());
        } catch (MethodTooLargeException | ClassTooLargeException e) {
            throw new Unsupported(Reason.TOO_LARGE, "strand: " + e.getMessage());
        }
    }

    /** Replaces methods, found by name and descriptor; those that cannot be written stay as they were. */
    public Emitted emit(List<MethodNode> replacements) {
        if (replacements.isEmpty()) {
            return new Emitted(original, Map.of());
        }
        Map<String, MethodNode> wanted = new LinkedHashMap<>();
        replacements.forEach(method -> wanted.put(method.name + method.desc, method));
        Map<String, Unsupported> refused = new LinkedHashMap<>();
        byte @Nullable [] written = attempt(wanted, refused);
        if (written == null && !wanted.isEmpty()) {
            for (MethodNode method : replacements) {
                String key = method.name + method.desc;
                if (wanted.containsKey(key) && attempt(new LinkedHashMap<>(Map.of(key, method)), refused) == null) {
                    wanted.remove(key);
                }
            }
            written = attempt(wanted, refused);
        }
        if (written != null && refuseGrown(written, wanted, refused)) {
            written = attempt(wanted, refused);
        }
        return new Emitted(written == null || wanted.isEmpty() ? original : written, refused);
    }

    /**
     * Refuses methods that the JIT would compile as they were, but not as rewritten (R51); says whether there are any.
     */
    private boolean refuseGrown(byte[] written, Map<String, MethodNode> wanted, Map<String, Unsupported> refused) {
        Map<String, Integer> before = CodeSizes.of(original);
        Map<String, Integer> after = CodeSizes.of(written);
        return wanted.keySet().removeIf(key -> {
            int size = after.getOrDefault(key, 0);
            boolean isGrown = size > LARGEST_COMPILED && before.getOrDefault(key, 0) <= LARGEST_COMPILED;
            if (isGrown) {
                refused.put(key, tooLarge(size));
            }
            return isGrown;
        });
    }

    private static Unsupported tooLarge(int size) {
        String most = " (expected: up to " + LARGEST_COMPILED + ", the most that the JIT compiles)";
        return new Unsupported(Reason.TOO_LARGE, "code size: " + size + most);
    }

    /** Writes the class; if that is not possible, returns null and adds the method to {@code refused}. */
    private byte @Nullable [] attempt(Map<String, MethodNode> wanted, Map<String, Unsupported> refused) {
        String only = wanted.size() == 1 ? wanted.keySet().iterator().next() : "";
        try {
            ClassWriter writer = new HierarchyWriter(reader, hierarchy);
            reader.accept(new Replacing(writer, wanted, raises), raises ? ClassReader.SKIP_FRAMES : 0);
            return writer.toByteArray();
        } catch (UnknownClassException e) {
            refuse(refused, only, new Unsupported(Reason.UNKNOWN_CLASS, "class file not found: " + e.internalName()));
        } catch (MethodTooLargeException e) {
            String key = e.getMethodName() + e.getDescriptor();
            refuse(
                    refused,
                    key,
                    new Unsupported(Reason.TOO_LARGE, "code size: " + e.getCodeSize() + " (expected: 1..65535)"));
            return wanted.remove(key) == null || wanted.isEmpty() ? null : attempt(wanted, refused);
        } catch (ClassTooLargeException e) {
            String message = "constant pool: " + e.getConstantPoolCount() + " (expected: 1..65535)";
            refuse(refused, only, new Unsupported(Reason.TOO_LARGE, message));
        } catch (RuntimeException e) {
            if (!raises) {
                throw e;
            }
            String message = "class file version: 50, and no frames can be computed: " + e.getMessage();
            refuse(refused, only, new Unsupported(Reason.OLD_CLASS_FILE, message));
        }
        return null;
    }

    private static void refuse(Map<String, Unsupported> refused, String key, Unsupported reason) {
        if (!key.isEmpty()) {
            refused.put(key, reason);
        }
    }

    /** Passes everything through but the methods to be replaced. */
    private static final class Replacing extends ClassVisitor {

        private final Map<String, MethodNode> wanted;

        private final boolean raises;

        Replacing(ClassVisitor next, Map<String, MethodNode> wanted, boolean raises) {
            super(Opcodes.ASM9, next);
            this.wanted = wanted;
            this.raises = raises;
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            super.visit(raises ? Opcodes.V1_7 : version, access, name, signature, superName, interfaces);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            if (raises && name.equals("<clinit>") && (access & Opcodes.ACC_STATIC) == 0) {
                throw new IllegalArgumentException("<clinit> is not static"); // an error from 51 on
            }
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            MethodNode replacement = wanted.get(name + descriptor);
            if (replacement == null || next == null) {
                return raises && next != null ? new Recomputed(next) : next;
            }
            replacement.instructions.resetLabels(); // an aborted attempt leaves positions in the labels
            replacement.accept(next);
            return null;
        }
    }

    /** Passes a method through, so that it is not copied byte by byte. */
    private static final class Recomputed extends MethodVisitor {

        Recomputed(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }
    }

    /** Computes frames without loading classes. */
    private static final class HierarchyWriter extends ClassWriter {

        private final ClassHierarchy hierarchy;

        HierarchyWriter(@Nullable ClassReader reader, ClassHierarchy hierarchy) {
            super(reader, COMPUTE_FRAMES);
            this.hierarchy = hierarchy;
        }

        @Override
        protected String getCommonSuperClass(String first, String second) {
            return hierarchy.commonSuperClass(first, second);
        }
    }
}
