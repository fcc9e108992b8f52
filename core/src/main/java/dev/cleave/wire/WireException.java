package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import java.io.Serial;

/** Bytes that violate the protocol, or a frame that would. The connection on which they arrived must be closed. */
public final class WireException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    /** Creates the failure; the message, one line, shows the value and what was expected. */
    public WireException(ErrorCode code, String message) {
        super(Names.escaped(message)); // the message may quote a value of a peer
        this.code = requireNonNull(code, "code");
    }

    /**
     * The code to tell the peer: {@link ErrorCode#PROTOCOL}, {@link ErrorCode#TOO_LARGE} or {@link ErrorCode#VERSION}.
     */
    public ErrorCode code() {
        return code;
    }
}
