package dev.cleave.config;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a file for calls of a method, or of all methods of a service. A component is null if the file does
 * not set it and the annotation holds.
 *
 * @param style the call style
 * @param window the most calls that a loop keeps in flight, or {@link #AUTOMATIC_WINDOW}
 * @param idempotent false if the method may not be executed again though its interface says so; true counts only where the
 *     interface says it
 * @param deadline how long a call may take
 * @param reads whether the method changes nothing
 * @param speculative whether a call may be started that the program then does not reach
 * @param group calls of one group keep their order; empty for none
 * @param priority the expression that orders the calls that wait at a server, or {@link #NO_PRIORITY}
 * @param prefer which waiting call goes first: one of greater priority, or one on which its caller is blocked
 * @param traffic how calls travel
 * @param hedge when an idempotent call is sent to a second replica
 * @param later the parameters that follow the call, in this order: names, or numbers from 1 on
 */
public record CallBinding(
        @Nullable Style style,
        @Nullable Integer window,
        @Nullable Boolean idempotent,
        @Nullable Duration deadline,
        Reads reads,
        @Nullable Boolean speculative,
        @Nullable String group,
        @Nullable String priority,
        @Nullable Preference prefer,
        Traffic traffic,
        @Nullable HedgeAfter hedge,
        @Nullable List<String> later) {

    /** The window that grows by itself: no bound is set. In a file it is {@code auto}. */
    public static final int AUTOMATIC_WINDOW = Integer.MAX_VALUE;

    /** The word of a file for calls that are served in order of arrival, whatever the annotation says. */
    public static final String NO_PRIORITY = "none";

    /** Sets nothing. */
    public static final CallBinding NONE =
            new CallBinding(null, null, null, null, Reads.NONE, null, null, null, null, Traffic.NONE, null, null);

    /** Returns these settings, and those of {@code wider} where these are null. */
    public CallBinding over(CallBinding wider) {
        return new CallBinding(
                style != null ? style : wider.style,
                window != null ? window : wider.window,
                idempotent != null ? idempotent : wider.idempotent,
                deadline != null ? deadline : wider.deadline,
                reads.over(wider.reads),
                speculative != null ? speculative : wider.speculative,
                group != null ? group : wider.group,
                priority != null ? priority : wider.priority,
                prefer != null ? prefer : wider.prefer,
                traffic.over(wider.traffic),
                hedge != null ? hedge : wider.hedge,
                later != null ? later : wider.later);
    }

    /** Returns the settings for a call that may be under either of the two bindings: the more careful value of each. */
    CallBinding careful(CallBinding other) {
        boolean sameGroup = Objects.equals(group, other.group);
        return new CallBinding(
                style == other.style && sameGroup ? style : Style.SYNC,
                least(window, other.window),
                idempotent != null && idempotent.equals(other.idempotent) ? idempotent : carefulIdempotent(other),
                least(deadline, other.deadline),
                reads.careful(other.reads),
                Objects.equals(speculative, other.speculative) ? speculative : Boolean.FALSE,
                sameGroup ? group : null,
                Objects.equals(priority, other.priority) ? priority : null,
                prefer == other.prefer ? prefer : null,
                traffic.equals(other.traffic) ? traffic : Traffic.NONE,
                Objects.equals(hedge, other.hedge) ? hedge : null,
                Objects.equals(later, other.later) ? later : null);
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
