package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds out whether the arguments of a method let the server call back objects of the caller: whether a remote
 * interface, a {@code Ref}, or a stream, iterator, iterable or publisher is among the declared types, their type arguments, or the fields of these types (R9).
 */
final class CallbackTypes {

    private static final String REF = "dev/cleave/Ref";
    private static final Set<String> ELEMENTS = Set.of(
            "java/util/stream/Stream",
            "java/util/Iterator",
            "java/lang/Iterable",
            "java/util/concurrent/Flow$Publisher");
    private static final int MOST = 256;
    private static final Pattern NAME = Pattern.compile("L([^;<]+)");

    private final ClassFileSource files;
    private final @Nullable ClassLoader loader;
    private final Predicate<String> isRemote;

    /** Creates a search among the classes that a loader sees. */
    CallbackTypes(ClassFileSource files, @Nullable ClassLoader loader, Predicate<String> isRemote) {
        this.files = requireNonNull(files, "files");
        this.loader = loader;
        this.isRemote = requireNonNull(isRemote, "isRemote");
    }

    /** Whether the elements of a value of a type are fetched one by one. */
    static boolean isFetched(Type type) {
        return type.getSort() == Type.OBJECT && ELEMENTS.contains(type.getInternalName());
    }

    /** Whether a descriptor or a generic signature has parameters that let the server call back. */
    boolean leadBack(String signature) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        add(signature.substring(0, signature.lastIndexOf(')') + 1), seen, open);
        while (!open.isEmpty()) {
            String name = open.remove();
            if (name.equals(REF) || ELEMENTS.contains(name) || seen.size() > MOST || isRemote.test(name)) {
                return true;
            }
            byte[] bytes = files.read(loader, name);
            if (bytes != null) {
                addFields(bytes, seen, open);
            }
        }
        return false;
    }

    /**
     * A descriptor or generic signature without the parameters that are themselves a {@code Ref}; null if it declares type
     * variables.
     */
    static @Nullable String withoutReferences(String signature) {
        if (!signature.startsWith("(")) {
            return null;
        }
        StringBuilder others = new StringBuilder("(");
        int at = 1;
        while (signature.charAt(at) != ')') {
            int end = end(signature, at);
            String type = signature.substring(at, end);
            if (!type.equals("L" + REF + ";") && !type.startsWith("L" + REF + "<")) {
                others.append(type);
            }
            at = end;
        }
        return others.append(signature, at, signature.length()).toString();
    }

    /** Where a type that begins somewhere in a signature ends. */
    private static int end(String signature, int begin) {
        int at = begin;
        while (signature.charAt(at) == '[') {
            at++;
        }
        if ("LT".indexOf(signature.charAt(at)) < 0) {
            return at + 1;
        }
        int depth = 0;
        while (depth > 0 || signature.charAt(at) != ';') {
            char here = signature.charAt(at++);
            depth += here == '<' ? 1 : here == '>' ? -1 : 0;
        }
        return at + 1;
    }

    /** Whether a name is one of the platform's, which has no remote interfaces of users. */
    static boolean isPlatform(String internalName) {
        return internalName.startsWith("java/")
                || internalName.startsWith("javax/")
                || internalName.startsWith("jdk/")
                || internalName.startsWith("sun/")
                || internalName.startsWith("[");
    }

    private static void add(String signature, Set<String> seen, Deque<String> open) {
        Matcher names = NAME.matcher(signature);
        while (names.find()) {
            String name = names.group(1);
            if ((ELEMENTS.contains(name) || !isPlatform(name)) && seen.add(name)) {
                open.add(name);
            }
        }
    }

    private static void addFields(byte[] bytes, Set<String> seen, Deque<String> open) {
        ClassVisitor reader = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visit(
                    int version, int access, String name, String signature, String above, String[] interfaces) {
                if (above != null) {
                    add('L' + above + ';' + (signature == null ? "" : signature), seen, open);
                }
            }

            @Override
            public void visitPermittedSubclass(String permitted) {
                add('L' + permitted + ';', seen, open);
            }

            @Override
            public @Nullable FieldVisitor visitField(
                    int access, String name, String descriptor, String signature, Object value) {
                if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) == 0) {
                    add(signature == null ? descriptor : signature, seen, open);
                }
                return null;
            }
        };
        try {
            new ClassReader(bytes)
                    .accept(reader, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            open.add(REF); // the class file is newer than the reader knows: it may contain anything
        }
    }
}
