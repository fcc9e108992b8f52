package dev.cleave.broker.cli;

import dev.cleave.CallException;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.config.ConfigException;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Names;
import org.jspecify.annotations.Nullable;

/** Describes a failure in one line. */
final class OneLine {

    private OneLine() {}

    static String of(@Nullable String message) {
        return message == null ? "no message" : Names.escaped(message.strip().replaceAll("\\s*\\R\\s*", "; "));
    }

    static String of(Exception failure) {
        boolean ours = failure instanceof CommandException
                || failure instanceof ProcessException
                || failure instanceof ConfigException
                || failure instanceof CallException
                || failure instanceof TransportException
                || failure instanceof IllegalArgumentException;
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getName() + " (--verbose shows where)";
        }
        return ours
                ? of(message)
                : failure.getClass().getSimpleName().replaceFirst("Exception$", "") + ": " + of(message);
    }
}
