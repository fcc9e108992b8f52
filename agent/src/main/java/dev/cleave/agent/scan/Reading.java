package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Whether a method changes nothing, and how old its results may be.
 *
 * @param kind the state that the method reads
 * @param maxAge the greatest age of a result for the program; zero if it must not be older than the call
 */
public record Reading(Kind kind, Duration maxAge) {

    /** The reading of a method that may change something. */
    public static final Reading NONE = new Reading(Kind.NONE, Duration.ZERO);

    /** The reading of a method whose result depends on its arguments alone. */
    public static final Reading PURE = new Reading(Kind.PURE, Duration.ZERO);

    /** The kinds of state that a method reads. */
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

    /** The reading of a method that reads what others change. */
    public static Reading readOnly(Duration maxAge) {
        return new Reading(Kind.READ_ONLY, maxAge);
    }
}
