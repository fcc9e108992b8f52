package dev.cleave.config;

import dev.cleave.wire.Names;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A mistake in an application file. The message is one line: file, line, key, what is wrong, what is expected. */
public final class ConfigException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    ConfigException(String message, @Nullable Throwable cause) {
        super(oneLine(message), cause);
    }

    /** Writes control characters, which keys and values of a file may contain, as a person would type them in YAML. */
    private static String oneLine(String message) {
        StringBuilder line = new StringBuilder(message.length());
        message.codePoints().forEach(c -> {
            if (c == '\n') {
                line.append("\\n");
            } else if (!Names.isPlain(Character.toString(c))) {
                line.append(String.format("\\u%04x", c));
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString();
    }
}
