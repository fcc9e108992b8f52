package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A value was to be sent or received whose type is neither named by the remote interface nor allowed by the
 * application.
 */
public final class RefusedTypeException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public RefusedTypeException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
