package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.CallException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.RemoteFailureException;
import dev.cleave.WaitCycleException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes an exception: null, the exception itself, or its class name, message and stack as text. Errors about the state
 * of a process, such as {@link OutOfMemoryError}, are written as text, and arrive as a {@link RemoteFailureException}
 * whatever the peer has sent: that the other process is out of memory does not mean that this one is, and no thread
 * here may end by it. A {@link WaitCycleException} is written as text and arrives as the exception of the call that was
 * made here, which was executed; so is a {@link NoSuchReferenceException}.
 */
final class EncodedException {

    private static final int NONE = 0;
    private static final int ITSELF = 1;
    private static final int TEXT = 2;

    /** The declared type of an exception. */
    private static final Shape ANY = Shapes.of(Throwable.class, Throwable.class);

    private EncodedException() {}

    static void write(CodecSession session, Kryo kryo, Output output, @Nullable Throwable thrown) {
        if (thrown == null) {
            output.writeByte(NONE);
        } else if (session.allows(thrown.getClass()) && !(thrown instanceof CallException) && !isOfProcess(thrown)) {
            output.writeByte(ITSELF);
            kryo.writeClassAndObject(output, thrown);
        } else {
            writeText(output, thrown);
        }
    }

    static void writeText(Output output, Throwable thrown) {
        output.writeByte(TEXT);
        output.writeString(thrown.getClass().getName());
        output.writeString(thrown.getMessage());
        StringWriter stack = new StringWriter();
        thrown.printStackTrace(new PrintWriter(stack));
        output.writeString(stack.toString());
        StackTraces.write(output, thrown.getStackTrace());
    }

    static @Nullable Throwable read(CodecSession session, Kryo kryo, Input input) {
        return read(session, input, in -> ((BoundedInput) in).read(kryo, ANY));
    }

    /** Reads an exception that is not part of another object. */
    static @Nullable Throwable readWhole(CodecSession session, Kryo kryo, Input input, Declared declared) {
        return read(session, input, in -> ((BoundedInput) in).readWhole(kryo, declared));
    }

    private static @Nullable Throwable read(
            CodecSession session, Input input, Function<Input, @Nullable Object> itself) {
        int form = input.readByte();
        return switch (form) {
            case NONE -> null;
            case ITSELF -> wrapped(session, thrown(itself.apply(input)));
            case TEXT -> readText(session, input);
            default -> throw SerialException.malformed("form of an exception: " + form + " (expected: 0, 1 or 2)");
        };
    }

    /** The exception that was read; null if it was skipped. */
    private static @Nullable Throwable thrown(@Nullable Object read) {
        if (read == null || read instanceof Skipped) {
            return null;
        }
        if (read instanceof Throwable thrown) {
            return thrown;
        }
        throw SerialException.malformed(read.getClass().getName() + " (expected: an exception)");
    }

    /** Whether an exception is about the process that threw it, and not about the call. */
    private static boolean isOfProcess(@Nullable Throwable thrown) {
        return thrown instanceof VirtualMachineError
                || thrown instanceof LinkageError
                || thrown != null && thrown.getClass().getName().equals("java.lang.ThreadDeath"); // later JDKs lack it
    }

    private static @Nullable Throwable wrapped(CodecSession session, @Nullable Throwable read) {
        if (read == null || !isOfProcess(read)) {
            return read;
        }
        StringWriter stack = new StringWriter();
        read.printStackTrace(new PrintWriter(stack));
        RemoteFailureException made = new RemoteFailureException(
                read.getClass().getName(), read.getMessage(), stack.toString(), session.site());
        made.setStackTrace(read.getStackTrace());
        return made;
    }

    private static Throwable readText(CodecSession session, Input input) {
        String type = input.readString();
        String message = input.readString();
        String stack = input.readString();
        if (type == null || stack == null) {
            throw SerialException.malformed("exception as text without class name or stack");
        }
        RemoteFailureException made = new RemoteFailureException(type, message, stack, session.site());
        made.setStackTrace(StackTraces.read(input));
        return message == null ? made : ofCall(session, message, made);
    }

    /**
     * Makes the exception that the caller of a method receives too: the method's own call returned to an object that
     * waits for it, or used a reference that has been freed.
     */
    private static Throwable ofCall(CodecSession session, String message, RemoteFailureException text) {
        CallException.Execution executed = CallException.Execution.EXECUTED;
        CallException made;
        if (text.remoteClass().equals(WaitCycleException.class.getName())) {
            made = new WaitCycleException(message, executed, session.site(), text);
        } else if (text.remoteClass().equals(NoSuchReferenceException.class.getName())) {
            made = new NoSuchReferenceException(message, executed, session.site(), text);
        } else {
            return text;
        }
        made.setStackTrace(text.getStackTrace());
        return made;
    }
}
