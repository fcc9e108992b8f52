package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * Where in an application file a value stands, for messages.
 *
 * @param file the name of the file
 * @param line the line, from 1; 0 for the file as a whole
 * @param key the path to the value, such as {@code services.compare.route}; empty for the file as a whole
 */
public record Place(String file, int line, String key) {

    /** Checks its components. */
    public Place {
        requireNonNull(file, "file");
        requireNonNull(key, "key");
    }

    /** The mistake that {@code fact} describes, at this place. */
    public ConfigException mistake(String fact) {
        return new ConfigException(this + ": " + fact, null);
    }

    /** What a function makes of a text that stands here; its {@link IllegalArgumentException} tells the mistake. */
    <T> T read(String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(this + ": " + e.getMessage(), e);
        }
    }

    Place child(String name, int at) {
        return new Place(file, at, key.isEmpty() ? name : key + "." + name);
    }

    Place item(int index, int at) {
        return new Place(file, at, key + "[" + index + "]");
    }

    /** {@code file:line: key}, without what is not known. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + (key.isEmpty() ? "" : ": " + key);
    }
}
