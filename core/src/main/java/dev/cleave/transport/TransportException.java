package dev.cleave.transport;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A peer could not be reached, or a door not be opened. The message names the endpoint and says what to do. */
public final class TransportException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure. */
    public TransportException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
