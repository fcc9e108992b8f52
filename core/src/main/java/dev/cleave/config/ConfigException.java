package dev.cleave.config;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A mistake in an application file. The message is one line: file, line, key, what is wrong, what is expected. */
public final class ConfigException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
