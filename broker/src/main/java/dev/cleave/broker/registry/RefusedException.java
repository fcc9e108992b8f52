package dev.cleave.broker.registry;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Names;
import java.io.Serial;

/** The registry will not do what it was asked to. The message says what it would do. */
public final class RefusedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /** Says why, in one line. */
    public RefusedException(ErrorCode code, String message) {
        super(Names.escaped(message)); // parts of it are a peer's
        this.code = requireNonNull(code, "code");
    }

    /** What to answer. */
    public ErrorCode code() {
        return code;
    }
}
