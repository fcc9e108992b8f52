package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;

/**
 * Writes an exception as itself: message, stack, cause, suppressed exceptions, and the fields that classes outside the
 * JDK add. Made by {@link Throwable}'s own constructor alone, so that no constructor of the exception needs to fit.
 */
final class ThrowableCodec extends Serializer<Throwable> {

    private final KryoSession session;
    private final @Nullable FieldAccess access;
    private final Constructor<?> maker;
    private final @Nullable MethodHandle rawMessage;

    ThrowableCodec(KryoSession session, Class<?> type) {
        this.session = session;
        access = JdkTypes.isOfJdk(type) ? null : new FieldAccess(type);
        rawMessage = rawMessage(type);
        maker = BareMaker.of(type);
    }

    @Override
    public void write(Kryo kryo, Output output, Throwable object) {
        output.writeString(message(object));
        StackTraces.write(output, object.getStackTrace());
        EncodedException.write(session, kryo, output, object.getCause());
        Throwable[] suppressed = object.getSuppressed();
        output.writeVarInt(suppressed.length, true);
        for (Throwable each : suppressed) {
            EncodedException.write(session, kryo, output, each);
        }
        if (access != null) {
            try {
                access.write(kryo, output, object);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public Throwable read(Kryo kryo, Input input, Class<? extends Throwable> type) {
        Shape expected = ((BoundedInput) input).expected();
        try {
            Throwable made = (Throwable) maker.newInstance(input.readString());
            kryo.reference(made);
            made.setStackTrace(StackTraces.read(input));
            Throwable cause = EncodedException.read(session, kryo, input);
            if (cause != null) {
                made.initCause(cause);
            }
            int suppressed = ((BoundedInput) input).size(1);
            for (int i = 0; i < suppressed; i++) {
                made.addSuppressed(EncodedException.read(session, kryo, input));
            }
            if (access != null) {
                access.read(kryo, (BoundedInput) input, made, expected.parts(type));
            }
            return made;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The message in {@link Throwable}'s field, also if a class overrides {@code getMessage} to extend it. */
    private @Nullable String message(Throwable object) {
        if (rawMessage == null) {
            return object.getMessage();
        }
        try {
            return (String) rawMessage.invoke(object);
        } catch (Throwable e) { // user code: an overridden getMessage of a class between
            return null;
        }
    }

    private static @Nullable MethodHandle rawMessage(Class<?> type) {
        Class<?> topmost = type;
        while (!JdkTypes.isOfJdk(topmost) && !JdkTypes.isOfJdk(topmost.getSuperclass())) {
            topmost = topmost.getSuperclass();
        }
        try {
            if (JdkTypes.isOfJdk(type)
                    || JdkTypes.isOfJdk(type.getMethod("getMessage").getDeclaringClass())) {
                return null;
            }
            return MethodHandles.privateLookupIn(topmost, MethodHandles.lookup())
                    .findSpecial(Throwable.class, "getMessage", MethodType.methodType(String.class), topmost);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
