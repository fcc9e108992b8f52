package dev.cleave.rmi;

import dev.cleave.call.HiddenClasses;
import java.lang.invoke.MethodHandles;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The remote interfaces of an object as one type: RMI's stubs implement all of them. Of several, none of which extends
 * the others, an interface that extends all is made beside the first.
 */
final class StubTypes {

    private static final String MADE = "$CleaveRmi";
    private static final int MOST = 32;

    private StubTypes() {}

    /** The remote interfaces of a stub of RMI, in its order. */
    static List<Class<?>> of(Object stub) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> type = stub.getClass(); type != null; type = type.getSuperclass()) {
            Arrays.stream(type.getInterfaces()).filter(StubTypes::isRemote).forEach(found::add);
        }
        return List.copyOf(found);
    }

    private static boolean isRemote(Class<?> type) {
        return Remote.class.isAssignableFrom(type) && type != Remote.class;
    }

    /**
     * Returns the one type that stands for interfaces.
     *
     * @throws IllegalArgumentException if there is none, or none can be made
     */
    static Class<?> one(List<Class<?>> interfaces) {
        if (interfaces.isEmpty() || interfaces.size() > MOST) {
            throw new IllegalArgumentException(interfaces.size() + " remote interfaces (expected: 1.." + MOST + ")");
        }
        for (Class<?> each : interfaces) {
            if (interfaces.stream().allMatch(other -> other.isAssignableFrom(each))) {
                return each;
            }
        }
        return made(interfaces);
    }

    /** The name that both sides use for a type of {@link #one}. */
    static String name(Class<?> type) {
        return type.getName().contains(MADE)
                ? Arrays.stream(type.getInterfaces()).map(Class::getName).collect(Collectors.joining(","))
                : type.getName();
    }

    /**
     * Finds a type by its name.
     *
     * @throws ClassNotFoundException if one of the interfaces is unknown here, or none of RMI's
     */
    static Class<?> named(String name, ClassLoader loader) throws ClassNotFoundException {
        String[] parts = name.split(",");
        if (parts.length > MOST) {
            throw new ClassNotFoundException(parts.length + " remote interfaces (expected: 1.." + MOST + ")");
        }
        List<Class<?>> interfaces = new ArrayList<>();
        for (String part : parts) {
            Class<?> type = ClassFinder.find(part, loader);
            if (!type.isInterface() || !isRemote(type)) {
                throw new ClassNotFoundException(part + " (expected: an interface that extends java.rmi.Remote)");
            }
            interfaces.add(type);
        }
        return one(interfaces);
    }

    private static synchronized Class<?> made(List<Class<?>> interfaces) {
        Class<?> first = interfaces.get(0);
        String names = interfaces.stream().map(Class::getName).collect(Collectors.joining(","));
        String name = first.getName() + MADE + Integer.toHexString(names.hashCode());
        try {
            Class<?> known = Class.forName(name, false, first.getClassLoader());
            if (List.of(known.getInterfaces()).equals(interfaces)) {
                return known;
            }
        } catch (ClassNotFoundException e) {
            return define(first, name.replace('.', '/'), interfaces);
        }
        throw new IllegalArgumentException(names + ": no interface can be made for them, " + name + " is another one");
    }

    private static Class<?> define(Class<?> first, String name, List<Class<?>> interfaces) {
        ClassWriter writer = HiddenClasses.writer();
        String[] above = interfaces.stream().map(Type::getInternalName).toArray(String[]::new);
        int access = Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT | Opcodes.ACC_SYNTHETIC;
        boolean isPublic = Stream.of(first).allMatch(type -> java.lang.reflect.Modifier.isPublic(type.getModifiers()));
        writer.visit(Opcodes.V17, access | (isPublic ? Opcodes.ACC_PUBLIC : 0), name, null, "java/lang/Object", above);
        writer.visitEnd();
        try {
            return MethodHandles.privateLookupIn(first, MethodHandles.lookup()).defineClass(writer.toByteArray());
        } catch (IllegalAccessException | LinkageError e) {
            throw new IllegalArgumentException(
                    first.getName() + ": no interface can be made beside it: " + e.getMessage(), e);
        }
    }
}
