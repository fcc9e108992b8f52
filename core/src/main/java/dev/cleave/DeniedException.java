package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The identity of the caller has no right to do this; nothing was executed. */
public final class DeniedException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public DeniedException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
