package dev.cleave.broker.advice;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * A change of an application file, and what it is predicted to bring.
 *
 * @param what the change in words
 * @param settings the keys of the file, from {@code services} on, and their new values
 * @param seconds the predicted time from the first call to the last
 * @param why what the prediction rests on
 */
public record Change(String what, Map<String, String> settings, double seconds, String why) {

    /** Checks and copies its components. */
    public Change {
        requireNonNull(what, "what");
        requireNonNull(why, "why");
        settings = Map.copyOf(settings);
    }
}
