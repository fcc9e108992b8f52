package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * The place of a value in an application file, for messages.
 *
 * @param file the name of the file
 * @param line the line, from 1; 0 for the file as a whole
 * @param column the column in the line, from 1; 0 if it is not known
 * @param key the path to the value, such as {@code services.compare.route}; empty for the file as a whole
 */
public record Place(String file, int line, int column, String key) {

    /** The most characters of a key or value that a message shows: the file may be another one than the user meant. */
    static final int MOST_SHOWN = 60;

    /** How the names of system properties begin that stand in the place of a file. */
    static final String OPTION = "-Dcleave.";

    /** How the names of environment variables begin that stand in the place of a file. */
    static final String VARIABLE = "$CLEAVE_";

    /** Checks its components. */
    public Place {
        requireNonNull(file, "file");
        requireNonNull(key, "key");
    }

    /** Creates the exception for a mistake at this place, which {@code fact} describes. */
    public ConfigException mistake(String fact) {
        return mistake(fact, null);
    }

    ConfigException mistake(String fact, @Nullable Throwable cause) {
        return new ConfigException(toString(), new ConfigException.Where(file, line, column, key), fact, cause);
    }

    /**
     * Applies a reader to the text at this place, and turns its {@link IllegalArgumentException} into a mistake at this
     * place.
     */
    <T> T read(String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String told = text.length() > MOST_SHOWN ? message.replace(text, shortened(text, MOST_SHOWN)) : message;
            throw mistake(told, e);
        }
    }

    /** Returns at most the first {@code most} characters of a text, followed by {@code ...} if there are more. */
    static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    Place child(String name, Optional<Mark> at) {
        String shown = shortened(name, MOST_SHOWN);
        return of(at, key.isEmpty() ? shown : key + "." + shown);
    }

    /** Returns this place under another key. */
    Place named(String other) {
        return new Place(file, line, column, other);
    }

    Place item(int index, Optional<Mark> at) {
        return of(at, key + "[" + index + "]");
    }

    /** Returns the place of a mark, which names its own file: a file may include others. */
    private Place of(Optional<Mark> at, String path) {
        String source = at.map(Mark::getName).orElse(file);
        return at.isEmpty() || isSetting(source)
                ? new Place(source, 0, 0, path)
                : new Place(source, line(at), at.get().getColumn() + 1, path);
    }

    /** Whether the name of a source is that of a property or variable, which have no lines. */
    private static boolean isSetting(String source) {
        return source.startsWith(OPTION) || source.startsWith(VARIABLE);
    }

    /** The line of a mark, from 1; 0 without one. */
    private static int line(Optional<Mark> mark) {
        return mark.map(m -> m.getLine() + 1).orElse(0);
    }

    /** Returns this place, at the column of a value if that stands in the same line. */
    Place at(Optional<Mark> value) {
        return line > 0 && line(value) == line
                ? new Place(file, line, value.get().getColumn() + 1, key)
                : this;
    }

    /** Returns {@code file:line:column: key}, without the parts that are not known. */
    public String withColumn() {
        return column > 0 ? file + ":" + line + ":" + column + (key.isEmpty() ? "" : ": " + key) : toString();
    }

    /** Returns {@code file:line: key}, without the parts that are not known. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + (key.isEmpty() ? "" : ": " + key);
    }
}
