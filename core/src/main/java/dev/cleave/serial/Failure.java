package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.CallException;
import dev.cleave.RemoteFailureException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * An exception where one is expected: nothing, itself, or its class name, message and stack as text. Errors that tell of the
 * state of a process, such as {@link OutOfMemoryError}, go as text, and arrive as a {@link RemoteFailureException} whatever
 * the peer has sent: that the other process is out of memory says nothing of this one, and no thread here must end by it.
 */
final class Failure {

    private static final int NONE = 0;
    private static final int ITSELF = 1;
    private static final int TEXT = 2;

    private Failure() {}

    static void write(Session session, Kryo kryo, Output output, @Nullable Throwable thrown) {
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

    static @Nullable Throwable read(Session session, Kryo kryo, Input input) {
        int form = input.readByte();
        return switch (form) {
            case NONE -> null;
            case ITSELF -> wrapped(session, (Throwable) kryo.readClassAndObject(input));
            case TEXT -> readText(session, input);
            default -> throw SerialException.malformed("form of an exception: " + form + " (expected: 0, 1 or 2)");
        };
    }

    /** Whether it says something of the process that threw it, and nothing of the call. */
    private static boolean isOfProcess(@Nullable Throwable thrown) {
        return thrown instanceof VirtualMachineError
                || thrown instanceof LinkageError
                || thrown != null && thrown.getClass().getName().equals("java.lang.ThreadDeath"); // later JDKs lack it
    }

    private static @Nullable Throwable wrapped(Session session, @Nullable Throwable read) {
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

    private static Throwable readText(Session session, Input input) {
        String type = input.readString();
        String message = input.readString();
        String stack = input.readString();
        if (type == null || stack == null) {
            throw SerialException.malformed("exception as text without class name or stack");
        }
        RemoteFailureException made = new RemoteFailureException(type, message, stack, session.site());
        made.setStackTrace(StackTraces.read(input));
        return made;
    }
}
