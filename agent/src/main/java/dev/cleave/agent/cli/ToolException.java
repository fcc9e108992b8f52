package dev.cleave.agent.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A command could not do its work. The message is one line for the user. */
final class ToolException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Exit code of a command that could not do its work. */
    static final int FAILED = 1;

    /** Exit code of a command line that is not understood. */
    static final int USAGE = 2;

    private final int exitCode;

    private ToolException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The command line is not understood. */
    static ToolException misunderstood(String message) {
        return new ToolException(USAGE, message, null);
    }

    static ToolException failed(String message) {
        return new ToolException(FAILED, message, null);
    }

    static ToolException failed(String message, Throwable cause) {
        return new ToolException(FAILED, message, cause);
    }

    int exitCode() {
        return exitCode;
    }
}
