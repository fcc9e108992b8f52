package dev.cleave.transport;

import dev.cleave.text.Printable;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A peer could not be reached, or a port could not be listened at. The message names the endpoint and says what to do.
 */
public final class TransportException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final boolean reached;

    /** Creates the failure. */
    public TransportException(String message, @Nullable Throwable cause) {
        this(message, cause, cause instanceof TransportException earlier && earlier.wasReached());
    }

    private TransportException(String message, @Nullable Throwable cause, boolean reached) {
        super(Printable.line(message), cause); // the message may quote a peer
        this.reached = reached;
    }

    /** Creates the failure of a connection that was open, and ended before its handshake was complete. */
    public static TransportException reached(String message, @Nullable Throwable cause) {
        return new TransportException(message, cause, true);
    }

    /** Whether a connection was open, and ended before its handshake was complete: so a process listens there. */
    public boolean wasReached() {
        return reached;
    }
}
