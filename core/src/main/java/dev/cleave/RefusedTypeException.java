package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A value of a type that is neither named by the remote interface nor allowed was to be sent or received. */
public final class RefusedTypeException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public RefusedTypeException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
