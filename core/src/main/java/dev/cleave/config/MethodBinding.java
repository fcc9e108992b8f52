package dev.cleave.config;

import static java.util.Objects.requireNonNull;

/**
 * What a file says about the methods of one name.
 *
 * @param place where it says so
 * @param call what it says
 */
public record MethodBinding(Place place, CallBinding call) {

    /** Checks its components. */
    public MethodBinding {
        requireNonNull(place, "place");
        requireNonNull(call, "call");
    }
}
