package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The call came back to a {@link dev.cleave.Serial} object that waits for it, so neither could ever go on. It was not executed. The
 * message tells where that object waits; the stack is that of the call.
 */
public final class WaitCycleException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public WaitCycleException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
