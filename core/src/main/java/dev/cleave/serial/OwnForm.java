package dev.cleave.serial;

import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members with which a class controls its serialization by the JDK. Cleave does not run them, so its objects
 * would arrive changed.
 */
final class OwnForm {

    private OwnForm() {}

    /** Says why objects of a class would arrive changed, and what to do; null if they do not. */
    static @Nullable String of(Class<?> type) {
        String member = member(type);
        return member == null
                ? null
                : type.getName() + " has its own serial form (" + member + "), which is not used here,"
                        + " and cannot be sent (send a record or a class without it, and convert)";
    }

    private static @Nullable String member(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type)) {
            return null; // the JDK looks for them in serializable classes alone
        }
        if (Externalizable.class.isAssignableFrom(type) && !type.isRecord()) {
            return "java.io.Externalizable";
        }
        boolean isException = Throwable.class.isAssignableFrom(type);
        for (Class<?> c = type; c != null && !JdkTypes.isOfJdk(c); c = c.getSuperclass()) {
            for (String name : new String[] {"writeReplace", "readResolve"}) {
                Method method = declared(c, name);
                if (method != null && isInherited(method, type)) {
                    return where(c, name);
                }
            }
            boolean asks = !type.isRecord() && Serializable.class.isAssignableFrom(c);
            if (asks && (!isException || hasTransientFields(c))) {
                String name = form(c);
                if (name != null) {
                    return name;
                }
            }
        }
        return null;
    }

    private static @Nullable String form(Class<?> c) {
        if (isPrivate(declared(c, "writeObject", ObjectOutputStream.class))) {
            return where(c, "writeObject");
        }
        if (isPrivate(declared(c, "readObject", ObjectInputStream.class))) {
            return where(c, "readObject");
        }
        try {
            Field fields = c.getDeclaredField("serialPersistentFields");
            return Modifier.isStatic(fields.getModifiers()) ? c.getName() + ".serialPersistentFields" : null;
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    private static String where(Class<?> c, String method) {
        return c.getName() + "." + method + "()";
    }

    /**
     * Whether an exception has transient fields: its message, stack, causes and other fields arrive whatever its
     * members write, but transient fields only by its members.
     */
    private static boolean hasTransientFields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .anyMatch(f -> Modifier.isTransient(f.getModifiers()) && !Modifier.isStatic(f.getModifiers()));
    }

    private static boolean isPrivate(@Nullable Method method) {
        return method != null
                && Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && method.getReturnType() == void.class;
    }

    /** Whether the JDK would call a method of a class for objects of a subclass. */
    private static boolean isInherited(Method method, Class<?> type) {
        Class<?> owner = method.getDeclaringClass();
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers) || method.getReturnType() != Object.class) {
            return false;
        }
        return owner == type
                || Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || !Modifier.isPrivate(modifiers)
                        && owner.getClassLoader() == type.getClassLoader()
                        && owner.getPackageName().equals(type.getPackageName());
    }

    private static @Nullable Method declared(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getDeclaredMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
