package dev.cleave.wire;

/**
 * An argument that is not in its REQUEST: the pending result of an earlier call of the same {@link Lane}, which the server
 * puts in as the bytes that it has answered.
 *
 * @param call which call of the lane, counted from 0 in the order in which they are sent
 * @param at how many of the argument bytes stand before the value; not descending from one to the next
 */
public record PendingArgument(int call, int at) {

    /** The most in one REQUEST. */
    public static final int MOST = 255;

    /** Checks its components. */
    public PendingArgument {
        if (call < 0 || at < 0) {
            throw new IllegalArgumentException("call, at: " + call + ", " + at + " (expected: not negative)");
        }
    }
}
