package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.Names;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A value that may not or cannot be written or read. */
public final class SerialException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final Reason reason;

    /** Why a value was not written or read. */
    public enum Reason {
        /** Its type is neither named by the remote interface nor allowed, or making it takes too much work. */
        REFUSED,
        /** The value does not fit into a frame. */
        TOO_LARGE,
        /** Reading the value took longer than its caller waits. */
        LATE,
        /** Its writing runs code of the program, which may not run before its place. */
        PREMATURE,
        /** The bytes were not written by a writer of ours. */
        MALFORMED
    }

    /** Creates the failure. */
    public SerialException(Reason reason, String message, @Nullable Throwable cause) {
        super(Names.escaped(message), cause); // the message may quote a peer
        this.reason = requireNonNull(reason, "reason");
    }

    /** Creates the refusal of a type. */
    public static SerialException refused(String message) {
        return new SerialException(Reason.REFUSED, message, null);
    }

    /** Returns this failure for the value at a place, such as a parameter. */
    SerialException at(String place) {
        return place.isEmpty() || reason != Reason.REFUSED
                ? this
                : new SerialException(reason, place + ": " + getMessage(), this);
    }

    static SerialException late() {
        return new SerialException(Reason.LATE, "deadline passed while it was read", null);
    }

    static SerialException malformed(String message) {
        return new SerialException(Reason.MALFORMED, message, null);
    }

    /** Makes one failure of any exception in {@code action}: a refusal among its causes, or {@code otherwise}. */
    static SerialException of(Throwable thrown, Reason otherwise, String action) {
        try {
            return known(thrown, otherwise, action);
        } catch (Throwable e) { // user code: an overridden getMessage
            return new SerialException(
                    otherwise, action + ": " + thrown.getClass().getName(), thrown);
        }
    }

    private static SerialException known(Throwable thrown, Reason otherwise, String action) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof SerialException known) {
                return known;
            }
            if (t instanceof KryoBufferOverflowException) {
                return new SerialException(
                        Reason.TOO_LARGE,
                        "larger than a frame (expected: at most " + Header.CALL_LIMIT + " bytes)",
                        thrown);
            }
        }
        return new SerialException(otherwise, action + ": " + text(thrown), thrown);
    }

    /** The reason. */
    public Reason reason() {
        return reason;
    }

    /** The error code of the reason. */
    public ErrorCode code() {
        return switch (reason) {
            case REFUSED, PREMATURE -> ErrorCode.REFUSED_TYPE;
            case TOO_LARGE -> ErrorCode.TOO_LARGE;
            case LATE -> ErrorCode.DEADLINE;
            case MALFORMED -> ErrorCode.PROTOCOL;
        };
    }

    private static String text(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null
                ? thrown.getClass().getName()
                : message.lines().findFirst().orElse("");
    }
}
