package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * The place of a value in an application file, for messages.
 *
 * @param file the name of the file
 * @param line the line, from 1; 0 for the file as a whole
 * @param key the path to the value, such as {@code services.compare.route}; empty for the file as a whole
 */
public record Place(String file, int line, String key) {

    /** The most characters of a key or value that a message shows: the file may be another one than the user meant. */
    static final int MOST_SHOWN = 60;

    /** Checks its components. */
    public Place {
        requireNonNull(file, "file");
        requireNonNull(key, "key");
    }

    /** Creates the exception for a mistake at this place, which {@code fact} describes. */
    public ConfigException mistake(String fact) {
        return new ConfigException(this + ": " + fact, null);
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
            throw new ConfigException(this + ": " + told, e);
        }
    }

    /** Returns at most the first {@code most} characters of a text, followed by {@code ...} if there are more. */
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

    /** Returns {@code file:line: key}, without the parts that are not known. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + (key.isEmpty() ? "" : ": " + key);
    }
}
