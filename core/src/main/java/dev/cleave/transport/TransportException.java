package dev.cleave.transport;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A peer could not be reached, or a door not be opened. The message names the endpoint and says what to do. */
public final class TransportException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final boolean reached;

    /** Creates the failure. */
    public TransportException(String message, @Nullable Throwable cause) {
        this(message, cause, cause instanceof TransportException earlier && earlier.wasReached());
    }

    private TransportException(String message, @Nullable Throwable cause, boolean reached) {
        super(message, cause);
        this.reached = reached;
    }

    /** The failure of a connection that stood, and ended before the two sides had greeted each other. */
    public static TransportException reached(String message, @Nullable Throwable cause) {
        return new TransportException(message, cause, true);
    }

    /** Whether a connection stood, and ended before the two sides had greeted each other: somebody listens there. */
    public boolean wasReached() {
        return reached;
    }
}
