package dev.cleave.serial;

import java.lang.reflect.Array;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides whether a field of one type takes the values of a field of another type that the other side's version has. */
public final class FieldTypes {

    /** For each primitive type the types that have all its values. */
    private static final Map<Class<?>, List<Class<?>>> WIDER = Map.of(
            byte.class, List.of(short.class, int.class, long.class, float.class, double.class),
            short.class, List.of(int.class, long.class, float.class, double.class),
            char.class, List.of(int.class, long.class, float.class, double.class),
            int.class, List.of(long.class, double.class),
            float.class, List.of(double.class));

    private static final Class<?>[] PRIMITIVES = {
        boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class
    };

    private FieldTypes() {}

    /**
     * Says whether no value of a type is refused because of the type alone. References to classes other than those of
     * simple values may still be refused one by one.
     *
     * @param there the descriptor of the sender's type
     * @param here the descriptor of the receiver's type
     */
    public static boolean fits(String there, String here) {
        if (there.equals(here)) {
            return true;
        }
        Class<?> sent = primitive(there);
        Class<?> taken = primitive(here);
        if (sent != null) {
            return taken != null ? widens(sent, taken) : supertypes(box(sent)).contains(here);
        }
        if (taken != null) {
            Class<?> unboxed = unboxed(there);
            return unboxed != null && (unboxed == taken || widens(unboxed, taken));
        }
        Class<?> value = value(there);
        Class<?> target = value(here);
        return value != null
                ? supertypes(value).contains(here)
                : target == null || supertypes(target).contains(there);
    }

    private static boolean widens(Class<?> from, Class<?> to) {
        return WIDER.getOrDefault(from, List.of()).contains(to);
    }

    private static @Nullable Class<?> primitive(String descriptor) {
        for (Class<?> each : PRIMITIVES) {
            if (each.descriptorString().equals(descriptor)) {
                return each;
            }
        }
        return null;
    }

    private static @Nullable Class<?> unboxed(String descriptor) {
        for (Class<?> each : PRIMITIVES) {
            if (box(each).descriptorString().equals(descriptor)) {
                return each;
            }
        }
        return null;
    }

    private static Class<?> box(Class<?> primitive) {
        return zero(primitive).getClass();
    }

    /** The value that a field of a primitive type has at first. */
    static Object zero(Class<?> primitive) {
        return Array.get(Array.newInstance(primitive, 1), 0);
    }

    /** The class of simple values with a descriptor, which has no subclasses. */
    private static @Nullable Class<?> value(String descriptor) {
        if (descriptor.equals(String.class.descriptorString())) {
            return String.class;
        }
        if (descriptor.startsWith("[")) {
            Class<?> element = primitive(descriptor.substring(1));
            return element == null ? null : element.arrayType();
        }
        Class<?> unboxed = unboxed(descriptor);
        return unboxed == null ? null : box(unboxed);
    }

    private static Set<String> supertypes(Class<?> type) {
        Set<String> all = new HashSet<>(Set.of(Object.class.descriptorString()));
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            all.add(c.descriptorString());
            for (Class<?> above : c.getInterfaces()) {
                all.addAll(supertypes(above));
            }
        }
        return all;
    }
}
