package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

/**
 * How calls of a remote method are to be placed.
 *
 * @param style whether they may move
 * @param window the most calls that a loop keeps in flight, at least 1
 */
public record CallSetting(Style style, int window) {

    /** The window of a method that names none. */
    public static final int DEFAULT_WINDOW = 64;

    /** A call that stays where it is written. */
    public static final CallSetting SYNC = new CallSetting(Style.SYNC, 1);

    /** Whether calls may move. */
    public enum Style {
        /** Never moved, and a barrier for others. */
        SYNC,
        /** May start early and overlap others of its kind. */
        ASYNC
    }

    /** Checks its components. */
    public CallSetting {
        requireNonNull(style, "style");
        if (window < 1) {
            throw new IllegalArgumentException("window: " + window + " (expected: at least 1)");
        }
    }

    /** A call that may move. */
    public static CallSetting async(int window) {
        return new CallSetting(Style.ASYNC, window);
    }
}
