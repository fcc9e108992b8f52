package dev.cleave.broker.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A command could not do its work. The message is one line for the user. */
public final class CommandException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates a failure with a message that says what happened and what to do. */
    public CommandException(String message) {
        super(message);
    }

    /** Creates a failure with a message that says what happened and what to do. */
    public CommandException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
