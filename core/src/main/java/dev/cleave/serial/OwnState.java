package dev.cleave.serial;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the fields of a class of the program through which its {@code hashCode}, {@code equals} or {@code compareTo}
 * walks: the fields that its code reads, also in methods of the same object, other than to ask for null or a size. If
 * the code passes the object itself on, so that this cannot be seen, these are all fields, or none for
 * {@code compareTo}.
 */
final class OwnState {

    /** A method that collections call. */
    enum Asked {
        HASH("hashCode"),
        EQUALS("equals", Object.class),
        COMPARE("compareTo");

        private final String name;
        private final Class<?>[] parameters;
        private final ClassValue<OwnState> states = new ClassValue<>() {
            @Override
            protected OwnState computeValue(Class<?> type) {
                return OwnState.read(type, Asked.this);
            }
        };

        Asked(String name, Class<?>... parameters) {
            this.name = name;
            this.parameters = parameters;
        }

        /** Returns the fields through which the method walks in objects of exactly this class. */
        OwnState of(Class<?> type) {
            return states.get(type);
        }
    }

    private static final Set<String> GLANCES =
            Set.of("size", "length", "isEmpty", "ordinal", "name", "getClass", "intValue", "longValue", "booleanValue");

    private static final OwnState NONE = new OwnState(new Field[0], false);

    private final Field[] fields;
    private final boolean walksArrays;

    private OwnState(Field[] fields, boolean walksArrays) {
        this.fields = fields;
        this.walksArrays = walksArrays;
    }

    /** The fields, accessible. */
    Field[] fields() {
        return fields;
    }

    /** Whether the elements of arrays in the fields may be visited, too. */
    boolean walksArrays() {
        return walksArrays;
    }

    private static OwnState read(Class<?> type, Asked asked) {
        if (Jdk.has(type) || type.isEnum() || type.isArray()) {
            return NONE;
        }
        Method start = asked == Asked.COMPARE ? comparing(type) : method(type, asked.name, asked.parameters);
        if (start == null || Jdk.has(start.getDeclaringClass())) {
            return NONE;
        }
        boolean isMade = type.isRecord() && asked != Asked.COMPARE && Modifier.isFinal(start.getModifiers());
        Reading reading = new Reading(type);
        boolean isSeen = !isMade && reading.read(start);
        if (!isSeen && asked == Asked.COMPARE) {
            return NONE;
        }
        List<Field> walked = new ArrayList<>();
        try {
            for (Field field : references(type)) {
                if (!isSeen || reading.walked.contains(field.getName())) {
                    field.setAccessible(true);
                    walked.add(field);
                }
            }
        } catch (RuntimeException e) { // the package is not open: its codec refuses the class, too
            return NONE;
        }
        return new OwnState(walked.toArray(new Field[0]), !isMade);
    }

    private static List<Field> references(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = type; c != null && !Jdk.has(c); c = c.getSuperclass()) {
            Arrays.stream(c.getDeclaredFields())
                    .filter(f ->
                            !Modifier.isStatic(f.getModifiers()) && !f.getType().isPrimitive())
                    .forEach(fields::add);
        }
        return fields;
    }

    private static @Nullable Method comparing(Class<?> type) {
        for (Class<?> c = type; c != null && !Jdk.has(c); c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(Asked.COMPARE.name)
                        && method.getParameterCount() == 1
                        && !method.isBridge()) {
                    return method;
                }
            }
        }
        return null;
    }

    /** The method that runs for an object of a class; null if none is found. */
    private static @Nullable Method method(Class<?> type, String name, Class<?>... parameters) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            try {
                return c.getDeclaredMethod(name, parameters);
            } catch (NoSuchMethodException e) {
                // try the superclass
            }
        }
        return null;
    }

    /** Reads the code of methods of one object. */
    private static final class Reading {

        private final Class<?> type;
        private final Set<String> walked = new LinkedHashSet<>(); // names of fields
        private final Set<Method> known = new HashSet<>();
        private final ArrayDeque<Method> left = new ArrayDeque<>();
        private boolean isHandedOn; // the object itself

        Reading(Class<?> type) {
            this.type = type;
        }

        /** Reads a method; false if it walks through more than can be found. */
        boolean read(Method start) {
            follow(start);
            try {
                for (Method next = left.poll(); next != null && !isHandedOn; next = left.poll()) {
                    code(next);
                }
            } catch (IOException | RuntimeException e) { // no class file, or of a later version
                return false;
            }
            return !isHandedOn;
        }

        private void follow(@Nullable Method method) {
            if (method == null
                    || Modifier.isAbstract(method.getModifiers())
                    || Modifier.isNative(method.getModifiers())) {
                isHandedOn |= method == null || method.getDeclaringClass() != Object.class;
            } else if (Jdk.has(method.getDeclaringClass())) {
                isHandedOn |= method.getDeclaringClass() != Object.class;
            } else if (known.add(method)) {
                left.add(method);
            }
        }

        private void code(Method method) throws IOException {
            Class<?> owner = method.getDeclaringClass();
            String file = owner.getName().substring(owner.getName().lastIndexOf('.') + 1) + ".class";
            try (InputStream in = owner.getResourceAsStream(file)) {
                if (in == null) {
                    throw new IOException(file);
                }
                String descriptor = Type.getMethodDescriptor(method);
                boolean[] found = new boolean[1];
                new ClassReader(in.readAllBytes())
                        .accept(
                                new ClassVisitor(Opcodes.ASM9) {
                                    @Override
                                    public @Nullable MethodVisitor visitMethod(
                                            int access, String name, String of, String signature, String[] thrown) {
                                        boolean isIt = name.equals(method.getName()) && of.equals(descriptor);
                                        found[0] |= isIt;
                                        return isIt ? new Code(Reading.this) : null;
                                    }
                                },
                                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                isHandedOn |= !found[0];
            }
        }

        private boolean isOwn(String owner) {
            for (Class<?> c = type; c != null && !Jdk.has(c); c = c.getSuperclass()) {
                if (Type.getInternalName(c).equals(owner)) {
                    return true;
                }
            }
            return false;
        }

        private @Nullable Method called(int opcode, String owner, String name) {
            Class<?> from = type;
            while (opcode == Opcodes.INVOKESPECIAL
                    && from != null
                    && !Type.getInternalName(from).equals(owner)) {
                from = from.getSuperclass();
            }
            return from == null ? null : method(from, name);
        }
    }

    /** Looks at each instruction together with the one before it. */
    private static final class Code extends InstructionVisitor {

        private final Reading reading;
        private boolean afterThis;
        private boolean afterBoth; // the last two instructions loaded {@code this} and the object to compare with
        private @Nullable String field; // the field that the last instruction read from {@code this}

        Code(Reading reading) {
            this.reading = reading;
        }

        @Override
        void instruction(
                int opcode, @Nullable String owner, @Nullable String name, @Nullable String descriptor, int local) {
            boolean wasThis = afterThis;
            boolean wereBoth = afterBoth;
            String read = field;
            afterThis = opcode == Opcodes.ALOAD && local == 0;
            afterBoth = wasThis && opcode == Opcodes.ALOAD && local == 1;
            field = null;
            if (read != null && !isGlance(opcode, name)) {
                reading.walked.add(read);
            }
            if (wereBoth && opcode != Opcodes.IF_ACMPEQ && opcode != Opcodes.IF_ACMPNE) {
                reading.isHandedOn = true;
            }
            if (!wasThis || afterBoth || afterThis) {
                reading.isHandedOn |= wasThis && afterThis;
                return;
            }
            if (opcode == Opcodes.GETFIELD && owner != null && descriptor != null && reading.isOwn(owner)) {
                field = descriptor.length() > 1 ? name : null;
            } else if (descriptor != null
                    && owner != null
                    && name != null
                    && descriptor.startsWith("()")
                    && (opcode == Opcodes.INVOKEVIRTUAL
                            || opcode == Opcodes.INVOKESPECIAL
                            || opcode == Opcodes.INVOKEINTERFACE)) {
                reading.follow(reading.called(opcode, owner, name));
            } else {
                reading.isHandedOn = true;
            }
        }

        private static boolean isGlance(int opcode, @Nullable String method) {
            return opcode == Opcodes.IFNULL
                    || opcode == Opcodes.IFNONNULL
                    || opcode == Opcodes.ARRAYLENGTH
                    || opcode != Opcodes.GETFIELD && method != null && GLANCES.contains(method);
        }
    }
}
