package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The connection to the replica was lost, or could not be made. */
public final class ConnectionLostException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public ConnectionLostException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
