package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The deadline of a call passed before its result arrived. */
public final class DeadlineException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public DeadlineException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
