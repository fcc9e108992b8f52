package dev.cleave.serial;

import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The {@code writeReplace} and {@code readResolve} of a serializable class: the objects that travel in place of its own,
 * and those that the program receives. Immutable; thread-safe.
 */
final class Replacing {

    private static final ClassValue<Replacing> ALL = new ClassValue<>() {
        @Override
        protected Replacing computeValue(Class<?> type) {
            return new Replacing(find(type, "writeReplace"), find(type, "readResolve"));
        }
    };

    private final @Nullable Method writeReplace;
    private final @Nullable Method readResolve;

    private Replacing(@Nullable Method writeReplace, @Nullable Method readResolve) {
        this.writeReplace = writeReplace;
        this.readResolve = readResolve;
    }

    static Replacing of(Class<?> type) {
        return ALL.get(type);
    }

    /** The class that declares {@code writeReplace}; null if there is none. */
    @Nullable
    Class<?> replaces() {
        return writeReplace == null ? null : writeReplace.getDeclaringClass();
    }

    boolean resolves() {
        return readResolve != null;
    }

    /** The object that travels in place of an object, which may be the object itself. */
    @Nullable
    Object replaced(Object object) {
        return writeReplace == null ? object : call(writeReplace, object, SerialException.Reason.REFUSED);
    }

    /** The object that the program receives in place of one that has been read. */
    @Nullable
    Object resolved(Object object) {
        return readResolve == null ? object : call(readResolve, object, SerialException.Reason.MALFORMED);
    }

    private static @Nullable Object call(Method hook, Object object, SerialException.Reason reason) {
        try {
            return hook.invoke(object);
        } catch (InvocationTargetException e) {
            String where = hook.getDeclaringClass().getName() + "." + hook.getName();
            throw ProgramCode.failed(where, e.getTargetException(), reason);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Method find(Class<?> type, String name) {
        if (!Serializable.class.isAssignableFrom(type) || type.isEnum()) {
            return null;
        }
        for (Class<?> c = type; c != null && !Jdk.has(c); c = c.getSuperclass()) {
            try {
                Method method = c.getDeclaredMethod(name);
                if (!isInherited(method, type)) {
                    return null;
                }
                method.setAccessible(true);
                return method;
            } catch (NoSuchMethodException e) {
                // try the superclass
            }
        }
        return null;
    }

    /** Whether the JDK would call a method of a class for objects of a subclass. */
    private static boolean isInherited(Method method, Class<?> type) {
        Class<?> owner = method.getDeclaringClass();
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers) || Modifier.isAbstract(modifiers) || method.getReturnType() != Object.class) {
            return false;
        }
        return owner == type
                || Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || !Modifier.isPrivate(modifiers)
                        && owner.getClassLoader() == type.getClassLoader()
                        && owner.getPackageName().equals(type.getPackageName());
    }
}
