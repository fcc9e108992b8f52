package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * The call style and settings of a remote method.
 *
 * @param style whether its calls may move
 * @param window the most calls that a loop keeps in flight, at least 1, or {@link #AUTOMATIC_WINDOW}
 * @param isSpeculative whether a call may be started that the program then does not reach
 * @param group calls of one group keep their order; empty for none
 * @param reading whether the method changes nothing
 * @param restored the parameters, from 0, of arrays that the call changes at its caller and that its await may change later; a
 *     call that changes anything else has none
 */
public record CallSetting(
        Style style, int window, boolean isSpeculative, String group, Reading reading, Set<Integer> restored) {

    /** The window of a method that names none: it grows while the program waits. */
    public static final int AUTOMATIC_WINDOW = Integer.MAX_VALUE;

    /** The window of calls that are made on a guess and name none: that many may be made for nothing. */
    public static final int GUESSED_WINDOW = 64;

    /** The setting of a call that stays where it is written. */
    public static final CallSetting SYNC = of(Style.SYNC, 1);

    /** The setting of a call that changes its arguments, and that stays where it is written. */
    static final CallSetting RESTORES = of(Style.RESTORES, 1);

    /** Whether calls may move. */
    public enum Style {
        /** Never moved, and a barrier for others. */
        SYNC,
        /** May start early and overlap others of its kind. */
        ASYNC,
        /** Never moved, and a barrier for others: the server may call back (R9). */
        CALLS_BACK,
        /**
         * A barrier for others, unless each of its arguments that is a {@code Ref} is the result of a call that is sent with
         * it (R50): then the server that puts it in has the value, and does not call back.
         */
        REFERS,
        /**
         * It changes arrays of the caller: it may start early and overlap others, where its await counts as the write
         * (R75). A barrier for all others, and never moved without {@link #restored} arrays.
         */
        RESTORES,
        /** In order at one replica, none after the first failure (R49). */
        CHAINED,
        /** Returns when it is sent; a barrier for others (R70). */
        ONE_WAY
    }

    /** The most calls in flight if they are made on a guess. */
    public int guessedWindow() {
        return window == AUTOMATIC_WINDOW ? GUESSED_WINDOW : window;
    }

    /** Checks its components. */
    public CallSetting {
        requireNonNull(style, "style");
        requireNonNull(group, "group");
        requireNonNull(reading, "reading");
        restored = Set.copyOf(restored);
        if (!restored.isEmpty() && style == Style.ASYNC) {
            style = Style.RESTORES;
        } else if (!restored.isEmpty() && style == Style.CHAINED) {
            style = Style.SYNC; // no chain holds such a call
        }
        if (window < 1) {
            throw new IllegalArgumentException("window: " + window + " (expected: at least 1)");
        }
    }

    /** Makes the setting of a method that changes no argument. */
    public CallSetting(Style style, int window, boolean isSpeculative, String group, Reading reading) {
        this(style, window, isSpeculative, group, reading, Set.of());
    }

    /** Whether a call may start early although it changes arguments. */
    public boolean movesRestoring() {
        return style == Style.RESTORES && !restored.isEmpty();
    }

    /** The setting of a method of a style that may change something. */
    public static CallSetting of(Style style, int window) {
        return new CallSetting(style, window, false, "", Reading.NONE);
    }

    /** The setting of a method whose calls may move. */
    public static CallSetting async(int window) {
        return of(Style.ASYNC, window);
    }

    /** The same with another style and window. */
    public CallSetting with(Style other, int otherWindow) {
        return new CallSetting(other, otherWindow, isSpeculative, group, reading, restored);
    }

    /** The same with another reading. */
    public CallSetting with(Reading other) {
        return new CallSetting(style, window, isSpeculative, group, other, restored);
    }

    /** The same of a method whose calls change the arrays that are given for these parameters. */
    CallSetting restoring(Set<Integer> parameters) {
        return new CallSetting(style, window, isSpeculative, group, reading, parameters);
    }
}
