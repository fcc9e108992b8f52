package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The client program that belongs to an application.
 *
 * @param main its main class
 * @param args its arguments
 */
public record ClientBinding(String main, List<String> args) {

    /** Checks and copies its components. */
    public ClientBinding {
        requireNonNull(main, "main");
        args = List.copyOf(args);
    }
}
