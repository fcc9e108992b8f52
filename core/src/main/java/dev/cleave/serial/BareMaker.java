package dev.cleave.serial;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/**
 * Makes exceptions by {@link Throwable}'s constructor alone, through the factory that the JDK keeps for serialization
 * libraries ({@code jdk.unsupported}; named by text, since javac warns at its mention and the warning cannot be
 * suppressed).
 */
final class BareMaker {

    private static final Object FACTORY;
    private static final Method MAKER;

    static {
        try {
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            FACTORY = factory.getMethod("getReflectionFactory").invoke(null);
            MAKER = factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private BareMaker() {}

    /** Returns a constructor of {@code type} with one parameter, the message. */
    static Constructor<?> of(Class<?> type) {
        try {
            return (Constructor<?>) MAKER.invoke(FACTORY, type, Throwable.class.getConstructor(String.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
