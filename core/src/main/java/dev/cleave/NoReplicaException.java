package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** No live replica of the service is known. */
public final class NoReplicaException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public NoReplicaException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
