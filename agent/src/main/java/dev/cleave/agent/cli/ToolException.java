package dev.cleave.agent.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A command could not do its work. The message is one line for the user. */
final class ToolException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final int exitCode;

    private ToolException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The command line is not understood. */
    static ToolException misunderstood(String message) {
        return new ToolException(Main.USAGE, message, null);
    }

    static ToolException failed(String message) {
        return new ToolException(Main.FAILED, message, null);
    }

    static ToolException failed(String message, Throwable cause) {
        return new ToolException(Main.FAILED, message, cause);
    }

    int exitCode() {
        return exitCode;
    }
}
