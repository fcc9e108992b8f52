package dev.cleave.broker.process;

import dev.cleave.text.Printable;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A process could not be started, ended early, or did not answer in time. The message is for the user. */
public final class ProcessException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Says what happened, in one line. */
    public ProcessException(String message, @Nullable Throwable cause) {
        super(Printable.line(message), cause);
    }
}
