package dev.cleave.config;

import dev.cleave.wire.Names;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A mistake in an application file. The message is one line: file, line, key, what is wrong, what is expected. */
public final class ConfigException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient @Nullable Place place;
    private final String fact;

    ConfigException(Place place, String fact, @Nullable Throwable cause) {
        super(oneLine(place + ": " + fact), cause);
        this.place = place;
        this.fact = oneLine(fact);
    }

    /** The place of the mistake; null after deserialization. */
    public @Nullable Place place() {
        return place;
    }

    /** What is wrong and what is expected, without the place. */
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
