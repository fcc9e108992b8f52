package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The server has no such service, or its service no such method. */
public final class NoSuchMethodOnServerException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public NoSuchMethodOnServerException(
            String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
