package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
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

    private final CodecSession session;
    private final @Nullable FieldAccess access;
    private final @Nullable FieldMatch match;
    private final @Nullable StreamCodec form; // of classes that control their serialization
    private final Constructor<?> maker;
    private final @Nullable MethodHandle rawMessage;

    /** Creates the codec; it reads the fields of another version of the class by {@code sent} unless that is null. */
    ThrowableCodec(CodecSession session, Class<?> type, @Nullable Layout sent) {
        this.session = session;
        form = StreamForm.of(type) == null
                ? null
                : new StreamCodec(session, type, sent == null ? Layouts.of(type) : sent);
        access = form != null || Jdk.has(type) ? null : new FieldAccess(type);
        match = access == null || sent == null
                ? null
                : FieldMatch.of(type.getName(), sent.levels().get(0).parts(), FieldSlot.of(ProgramFields.of(type)));
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
        try {
            if (form != null) {
                form.writeLevels(kryo, output, object);
            } else if (access != null) {
                access.write(kryo, output, object);
            }
        } catch (IllegalAccessException | IOException e) {
            throw new IllegalStateException(e);
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
            if (form != null) {
                form.readLevels(made, expected.parts(type));
            } else if (match != null) {
                match.read(kryo, (BoundedInput) input, made, expected.parts(type));
            } else if (access != null) {
                access.read(kryo, (BoundedInput) input, made, expected.parts(type));
            }
            return made;
        } catch (ReflectiveOperationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads over what is written of any exception. */
    static void skipHead(CodecSession session, Kryo kryo, BoundedInput input) {
        input.readString();
        StackTraces.read(input);
        EncodedException.read(session, kryo, input);
        for (int left = input.size(1); left > 0; left--) {
            EncodedException.read(session, kryo, input);
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
        while (!Jdk.has(topmost) && !Jdk.has(topmost.getSuperclass())) {
            topmost = topmost.getSuperclass();
        }
        try {
            if (Jdk.has(type) || Jdk.has(type.getMethod("getMessage").getDeclaringClass())) {
                return null;
            }
            return MethodHandles.privateLookupIn(topmost, MethodHandles.lookup())
                    .findSpecial(Throwable.class, "getMessage", MethodType.methodType(String.class), topmost);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
