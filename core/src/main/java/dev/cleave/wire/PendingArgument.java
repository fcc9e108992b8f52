package dev.cleave.wire;

/**
 * An argument that is not in its REQUEST: the pending result of an earlier call, which the server inserts. Or a guard, which is
 * no argument: the call is executed only if the earlier call has ended with a result, whatever that is; only peers with {@link
 * Hello#LANE_GUARDS} know guards, and others do not execute such a call.
 *
 * @param call the number of that call in its lane, from 0 in the order of sending
 * @param at the number of argument bytes before the value; not descending from one to the next
 * @param parameter which parameter of the method it is, from 0; {@link #GUARD} for a guard
 * @param lane 0 for the {@link Lane} of the REQUEST, k for the k-th of its {@linkplain RequestOptions#shared shared
 *     lanes}, from 1
 */
public record PendingArgument(int call, int at, int parameter, int lane) {

    /** The most pending arguments of one REQUEST. */
    public static final int MOST = 255;

    /** The most parameters and shared lanes that can be named. */
    static final int MOST_NAMED = 0xffff;

    /** The parameter of a guard. */
    private static final int GUARD = MOST_NAMED;

    /** Checks its components. */
    public PendingArgument {
        if (call < 0 || at < 0) {
            throw new IllegalArgumentException("call, at: " + call + ", " + at + " (expected: not negative)");
        }
        if (parameter < 0 || parameter > MOST_NAMED || lane < 0 || lane > SharedLane.MOST) {
            throw new IllegalArgumentException("parameter, lane: " + parameter + ", " + lane + " (expected: 0.."
                    + MOST_NAMED + ", 0.." + SharedLane.MOST + ")");
        }
    }

    /**
     * Creates a guard.
     *
     * @param call the call that must have ended with a result
     */
    public static PendingArgument guard(int call, int lane) {
        return new PendingArgument(call, 0, GUARD, lane);
    }

    /** Whether it is no argument, but a call that must have ended with a result. */
    public boolean isGuard() {
        return parameter == GUARD;
    }

    /** The number by which the server of the call is asked: of the call, or for a guard the complement of that. */
    public int asked() {
        return isGuard() ? ~call : call;
    }

    /** A result of the lane of the REQUEST itself. */
    public PendingArgument(int call, int at, int parameter) {
        this(call, at, parameter, 0);
    }
}
