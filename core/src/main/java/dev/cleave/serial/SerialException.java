package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
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
        /** It does not fit into a frame. */
        TOO_LARGE,
        /** The bytes are not what a writer of ours writes. */
        MALFORMED
    }

    /** Creates the failure. */
    public SerialException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = requireNonNull(reason, "reason");
    }

    /** The refusal of a type. */
    public static SerialException refused(String message) {
        return new SerialException(Reason.REFUSED, message, null);
    }

    static SerialException malformed(String message) {
        return new SerialException(Reason.MALFORMED, message, null);
    }

    /** The one failure that whatever went wrong in {@code action} becomes: a refusal below it, or {@code otherwise}. */
    static SerialException of(Throwable thrown, Reason otherwise, String action) {
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

    /** Why. */
    public Reason reason() {
        return reason;
    }

    /** The code that stands for it. */
    public ErrorCode code() {
        return switch (reason) {
            case REFUSED -> ErrorCode.REFUSED_TYPE;
            case TOO_LARGE -> ErrorCode.TOO_LARGE;
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
