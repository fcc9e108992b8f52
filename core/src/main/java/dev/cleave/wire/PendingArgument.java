package dev.cleave.wire;

/**
 * An argument that is not in its REQUEST: the pending result of an earlier call of the same {@link Lane}, which the
 * server inserts as the bytes of its reply.
 *
 * @param call the number of that call in the lane, from 0 in the order of sending
 * @param at the number of argument bytes before the value; not descending from one to the next
 */
public record PendingArgument(int call, int at) {

    /** The most pending arguments of one REQUEST. */
    public static final int MOST = 255;

    /** Checks its components. */
    public PendingArgument {
        if (call < 0 || at < 0) {
            throw new IllegalArgumentException("call, at: " + call + ", " + at + " (expected: not negative)");
        }
    }
}
