package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.text.Printable;
import dev.cleave.wire.ErrorCode;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown when a call has no way to a replica: nothing was sent. */
final class NoHopException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    NoHopException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(Printable.line(message), cause); // the message may quote a peer
        this.code = requireNonNull(code, "code");
    }

    ErrorCode code() {
        return code;
    }
}
