package dev.cleave.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of a method that changes nothing; null where it says nothing and the annotation holds.
 *
 * @param pure whether its result depends on its arguments alone
 * @param readOnly whether it changes nothing, though it may read what others change
 * @param maxAge how old a result may be when the program comes to the call, for methods that are not pure
 */
public record Reads(
        @Nullable Boolean pure,
        @Nullable Boolean readOnly,
        @Nullable Duration maxAge) {

    /** Says nothing. */
    public static final Reads NONE = new Reads(null, null, null);

    /** This, and what {@code wider} says where this says nothing. */
    Reads over(Reads wider) {
        return new Reads(
                pure != null ? pure : wider.pure,
                readOnly != null ? readOnly : wider.readOnly,
                maxAge != null ? maxAge : wider.maxAge);
    }

    /** What holds for a call of which it is not known which of the two it is: that it may change something. */
    Reads careful(Reads other) {
        return equals(other) ? this : new Reads(false, false, null);
    }

    /** Whether the method is said to change nothing; null if that is not said. */
    public @Nullable Boolean changesNothing() {
        if (pure == null && readOnly == null) {
            return null;
        }
        return Boolean.TRUE.equals(pure) || Boolean.TRUE.equals(readOnly);
    }

    /** One word for readers that know this class by name only: {@code PURE}, {@code READ_ONLY}, {@code NONE} or a dash. */
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
