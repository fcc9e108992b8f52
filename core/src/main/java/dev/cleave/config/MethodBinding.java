package dev.cleave.config;

import static java.util.Objects.requireNonNull;

/**
 * The settings of a file for the methods of one name.
 *
 * @param place the place of the settings in the file
 * @param call the settings
 */
public record MethodBinding(Place place, CallBinding call) {

    /** Checks its components. */
    public MethodBinding {
        requireNonNull(place, "place");
        requireNonNull(call, "call");
    }
}
