package dev.cleave.broker.check;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.ConfigException;
import dev.cleave.config.Place;
import dev.cleave.wire.Names;

/**
 * A mistake, or a setting that cannot help, at a place of an application file.
 *
 * @param isMistake whether the application does not start, or not as the file says; else a setting cannot help
 * @param place the place
 * @param fact what is wrong and what is expected
 */
public record Finding(boolean isMistake, Place place, String fact) {

    /** Checks its components. */
    public Finding {
        requireNonNull(place, "place");
        requireNonNull(fact, "fact");
    }

    static Finding of(ConfigException mistake) {
        ConfigException.Where where = mistake.where();
        return new Finding(true, new Place(where.file(), where.line(), where.column(), where.key()), mistake.fact());
    }

    /** Returns the finding in a line: {@code file:line:column: key: fact}, of a warning with that word before the fact; printable. */
    public String line() {
        return Names.escaped(place.withColumn() + ": " + (isMistake ? "" : "warning: ") + fact);
    }
}
