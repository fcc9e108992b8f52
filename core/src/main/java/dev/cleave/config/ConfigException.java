package dev.cleave.config;

import dev.cleave.wire.Names;
import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A mistake in an application file. The message is one line: file, line, key, what is wrong, what is expected. */
public final class ConfigException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final Where where;
    private final String fact;

    /**
     * The place of a mistake.
     *
     * @param file the name of the file, or of the property or variable
     * @param line the line, from 1; 0 for the file as a whole
     * @param column the column, from 1; 0 if it is not known
     * @param key the path to the value; empty for the file as a whole
     */
    public record Where(String file, int line, int column, String key) implements Serializable {}

    ConfigException(String place, Where where, String fact, @Nullable Throwable cause) {
        super(oneLine(place + ": " + fact), cause);
        this.where = where;
        this.fact = oneLine(fact);
    }

    /** The place of the mistake. */
    public Where where() {
        return where;
    }

    /** Returns the mistake and what is expected, without the place. */
    public String fact() {
        return fact;
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
