package dev.cleave.rmi;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URL;
import java.security.CodeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the program that may travel through one remote interface: all classes of the jars and folders that
 * hold its remote interfaces and remote objects; and, of other jars, the classes that the signatures name, classes that
 * extend or implement these, and the classes of their fields. Thread-safe; grows by classes that the program has.
 */
final class OwnTypes {

    /** No class of a program. */
    static final OwnTypes NONE = new OwnTypes();

    /** The jars and folders that hold remote interfaces and objects. */
    private static final Set<String> PLACES = ConcurrentHashMap.newKeySet();

    private static final int MOST_NAMED = 1 << 14;

    private final Set<Class<?>> named = ConcurrentHashMap.newKeySet();

    private OwnTypes() {}

    /** The classes that may travel through an interface. */
    static OwnTypes of(Class<?> contract) {
        hold(contract);
        OwnTypes made = new OwnTypes();
        for (Method method : contract.getMethods()) {
            hold(method.getDeclaringClass());
            made.name(method.getGenericReturnType());
            for (Type parameter : method.getGenericParameterTypes()) {
                made.name(parameter);
            }
        }
        return made;
    }

    /** Counts the jar or folder of a class as the program's own. */
    static void hold(Class<?> type) {
        String place = place(type);
        if (place != null) {
            PLACES.add(place);
        }
    }

    /** Whether instances of a class of the program may travel. */
    boolean allows(Class<?> type) {
        String place = place(type);
        if (place != null && PLACES.contains(place) || isNamed(type)) {
            for (Class<?> above = type; above != null && named.size() < MOST_NAMED; above = above.getSuperclass()) {
                nameFields(above);
            }
            return true;
        }
        return false;
    }

    private boolean isNamed(Class<?> type) {
        if (named.contains(type)) {
            return true;
        }
        for (Class<?> each : named) {
            if (each.isAssignableFrom(type)) {
                return true;
            }
        }
        return false;
    }

    private void nameFields(Class<?> type) {
        if (isOfJdk(type)) {
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
                name(field.getGenericType());
            }
        }
    }

    private void name(Type type) {
        if (type instanceof Class<?> c) {
            Class<?> element = c;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            if (!element.isPrimitive() && !isOfJdk(element)) {
                named.add(element);
            }
        } else if (type instanceof ParameterizedType p) {
            name(p.getRawType());
            for (Type argument : p.getActualTypeArguments()) {
                name(argument);
            }
        } else if (type instanceof GenericArrayType a) {
            name(a.getGenericComponentType());
        } else if (type instanceof WildcardType w) {
            for (Type bound : w.getUpperBounds()) {
                name(bound);
            }
        } else if (type instanceof TypeVariable<?> v && v.getBounds()[0] instanceof Class<?> bound) {
            name(bound);
        }
    }

    static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    private static @Nullable String place(Class<?> type) {
        if (isOfJdk(type)) {
            return null;
        }
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : location.toString();
    }
}
