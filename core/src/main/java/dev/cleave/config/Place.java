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

    /** The most characters of a key or value that are shown: it may be another file than was meant. */
    static final int MOST_SHOWN = 60;

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
            String message = String.valueOf(e.getMessage());
            String told = text.length() > MOST_SHOWN ? message.replace(text, shortened(text, MOST_SHOWN)) : message;
            throw new ConfigException(this + ": " + told, e);
        }
    }

    /** A text of at most so many characters, and {@code ...} where it goes on. */
    static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    Place child(String name, int at) {
        String shown = shortened(name, MOST_SHOWN);
        return new Place(file, at, key.isEmpty() ? shown : key + "." + shown);
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
