package dev.cleave.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a file says about calling a method, or all methods of a service; null where it says nothing and the annotation
 * holds.
 *
 * @param style the call style
 * @param window the most calls that a loop keeps in flight
 * @param idempotent whether the method may be executed again; a provider's "no" cannot be overridden by a caller
 * @param deadline how long a call may take
 * @param reads whether it changes nothing
 */
public record CallBinding(
        @Nullable Style style,
        @Nullable Integer window,
        @Nullable Boolean idempotent,
        @Nullable Duration deadline,
        Reads reads) {

    /** Says nothing. */
    public static final CallBinding NONE = new CallBinding(null, null, null, null);

    /** Says nothing of what the method changes. */
    public CallBinding(
            @Nullable Style style,
            @Nullable Integer window,
            @Nullable Boolean idempotent,
            @Nullable Duration deadline) {
        this(style, window, idempotent, deadline, Reads.NONE);
    }

    /** This, and what {@code wider} says where this says nothing. */
    public CallBinding over(CallBinding wider) {
        return new CallBinding(
                style != null ? style : wider.style,
                window != null ? window : wider.window,
                idempotent != null ? idempotent : wider.idempotent,
                deadline != null ? deadline : wider.deadline,
                reads.over(wider.reads));
    }

    /** What holds for a call of which it is not known which of the two it is: the more careful value of each. */
    CallBinding careful(CallBinding other) {
        return new CallBinding(
                style == other.style ? style : Style.SYNC,
                least(window, other.window),
                idempotent != null && idempotent.equals(other.idempotent) ? idempotent : carefulIdempotent(other),
                least(deadline, other.deadline),
                reads.careful(other.reads));
    }

    private @Nullable Boolean carefulIdempotent(CallBinding other) {
        return idempotent == null && other.idempotent == null ? null : Boolean.FALSE;
    }

    private static <T extends Comparable<? super T>> @Nullable T least(@Nullable T a, @Nullable T b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) <= 0 ? a : b;
    }
}
