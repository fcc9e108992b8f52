package dev.cleave.broker.registry;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Names;
import java.io.Serial;

/** The registry refuses a request. The message says what it would accept. */
public final class RefusedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /** Creates a refusal with its reason in one line. */
    public RefusedException(ErrorCode code, String message) {
        super(Names.escaped(message)); // the message may quote a peer
        this.code = requireNonNull(code, "code");
    }

    /** The code for the answer. */
    public ErrorCode code() {
        return code;
    }
}
