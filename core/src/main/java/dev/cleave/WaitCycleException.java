package dev.cleave;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The call returned to a {@link dev.cleave.Serial} object that waits for it, so neither could ever go on. It was not
 * executed. The message says where that object waits; the stack is that of the call.
 *
 * <p>A method that lets it out has been executed: its own caller, on whatever node, gets a WaitCycleException with the same
 * message, {@link #executed()}, whose cause holds the stack as text.
 */
public final class WaitCycleException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the failure of the call described by {@code site}. */
    public WaitCycleException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, execution, site, cause);
    }
}
