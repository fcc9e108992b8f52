package dev.cleave.testing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Classes of Cleave, loaded anew with one of them changed: a test that runs among them meets the defect. Other classes are those of
 * the parent.
 */
public final class PlantedClasses extends ClassLoader {

    private static final String OURS = "dev.cleave.";

    private final String changed;
    private final UnaryOperator<byte[]> change;

    /**
     * Creates a loader.
     *
     * @param changed the binary name of the changed class
     * @param change returns its bytes with the defect
     */
    public PlantedClasses(String changed, UnaryOperator<byte[]> change) {
        super(PlantedClasses.class.getClassLoader());
        this.changed = changed;
        this.change = change;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] made = name.equals(changed) ? change.apply(bytes) : bytes;
            return defineClass(name, made, 0, made.length, PlantedClasses.class.getProtectionDomain());
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /**
     * Runs a test; one with a parameter, which must be an enum, with each of its constants. Lifecycle methods of the class run as well.
     *
     * @param test binary name and method of a class, as {@code a.b.CTest.isTrue}
     * @return what the test has thrown; null if it has passed
     */
    public @Nullable Throwable run(String test) throws ReflectiveOperationException {
        int dot = test.lastIndexOf('.');
        Class<?> type = loadClass(test.substring(0, dot));
        String name = test.substring(dot + 1);
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(test));
        if (method.getParameterCount() == 0) {
            return run(type, method);
        }
        for (Object constant : method.getParameterTypes()[0].getEnumConstants()) {
            Throwable thrown = run(type, method, constant);
            if (thrown != null) {
                return thrown;
            }
        }
        return null;
    }

    private static @Nullable Throwable run(Class<?> type, Method method, Object... arguments)
            throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object test = constructor.newInstance();
        try {
            all(type, test, BeforeEach.class);
            method.setAccessible(true);
            method.invoke(test, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } finally {
            all(type, test, AfterEach.class);
        }
    }

    private static void all(Class<?> type, Object test, Class<? extends Annotation> kind)
            throws ReflectiveOperationException {
        for (Method each : type.getDeclaredMethods()) {
            if (each.isAnnotationPresent(kind)) {
                each.setAccessible(true);
                each.invoke(test);
            }
        }
    }
}
