package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The owner has no object with this reference any more: it was freed or unexported, or no peer held it for a while. */
public final class NoSuchReferenceException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public NoSuchReferenceException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
