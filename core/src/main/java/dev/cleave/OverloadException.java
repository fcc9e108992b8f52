package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The server refused a call because its queue was full. */
public final class OverloadException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public OverloadException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
