package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What is known of a method that changes nothing.
 *
 * @param kind how much is known
 * @param maxAge how old a result may be that the program is given; zero if it must not be older than the call
 */
public record Reading(Kind kind, Duration maxAge) {

    /** A method of which nothing is known. */
    public static final Reading NONE = new Reading(Kind.NONE, Duration.ZERO);

    /** A method whose result depends on its arguments alone. */
    public static final Reading PURE = new Reading(Kind.PURE, Duration.ZERO);

    /** How much is known. */
    public enum Kind {
        /** It may change something. */
        NONE,
        /** It changes nothing, but reads what others change. */
        READ_ONLY,
        /** Its result depends on its arguments alone. */
        PURE
    }

    /** Checks its components. */
    public Reading {
        requireNonNull(kind, "kind");
        requireNonNull(maxAge, "maxAge");
    }

    /** A method that reads what others change. */
    public static Reading readOnly(Duration maxAge) {
        return new Reading(Kind.READ_ONLY, maxAge);
    }
}
