package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import java.io.OptionalDataException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

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

    /** The constructor that the JDK runs for a class: that of the first class above it that is not serializable. */
    static @Nullable Constructor<?> ofSerializable(Class<?> type) {
        return (Constructor<?>) ask("newConstructorForSerialization", Class.class, type);
    }

    /** The public constructor without parameters of an externalizable class; null if it has none. */
    static @Nullable Constructor<?> ofExternalizable(Class<?> type) {
        return (Constructor<?>) ask("newConstructorForExternalization", Class.class, type);
    }

    /** The exception of a stream where no object follows; {@code isEnd} if nothing follows. */
    static OptionalDataException optionalData(boolean isEnd) {
        return (OptionalDataException)
                requireNonNull(ask("newOptionalDataExceptionForSerialization", boolean.class, isEnd));
    }

    private static @Nullable Object ask(String method, Class<?> parameter, Object argument) {
        try {
            return FACTORY.getClass().getMethod(method, parameter).invoke(FACTORY, argument);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a constructor of {@code type} with one parameter, the message. */
    static Constructor<?> of(Class<?> type) {
        try {
            return (Constructor<?>) MAKER.invoke(FACTORY, type, Throwable.class.getConstructor(String.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
