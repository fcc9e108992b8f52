package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The peer speaks another protocol or version, or violated ours. */
public final class ProtocolException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public ProtocolException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
