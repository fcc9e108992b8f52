package dev.cleave.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a file for a method that changes nothing. A component is null if the file does not set it and the
 * annotation holds.
 *
 * @param pure whether its result depends on its arguments alone
 * @param readOnly whether it changes nothing, though it may read what others change
 * @param maxAge how old a result may be when the program reaches the call, for methods that are not pure
 */
public record Reads(
        @Nullable Boolean pure,
        @Nullable Boolean readOnly,
        @Nullable Duration maxAge) {

    /** Sets nothing. */
    public static final Reads NONE = new Reads(null, null, null);

    /** Returns these settings, and those of {@code wider} where these are null. */
    Reads over(Reads wider) {
        return new Reads(
                pure != null ? pure : wider.pure,
                readOnly != null ? readOnly : wider.readOnly,
                maxAge != null ? maxAge : wider.maxAge);
    }

    /**
     * Returns the settings for a call that may be under either of the two: if they differ, the call may change
     * something.
     */
    Reads careful(Reads other) {
        return equals(other) ? this : new Reads(false, false, null);
    }

    /** Whether the file says that the method changes nothing; null if it does not say so or the contrary. */
    public @Nullable Boolean changesNothing() {
        if (pure == null && readOnly == null) {
            return null;
        }
        return Boolean.TRUE.equals(pure) || Boolean.TRUE.equals(readOnly);
    }

    /**
     * Returns one word for code that knows this class by name only: {@code PURE}, {@code READ_ONLY}, {@code NONE} or a
     * dash.
     */
    public String word() {
        if (Boolean.TRUE.equals(pure)) {
            return "PURE";
        }
        if (Boolean.TRUE.equals(readOnly)) {
            return "READ_ONLY";
        }
        return changesNothing() == null ? "-" : "NONE";
    }
}
