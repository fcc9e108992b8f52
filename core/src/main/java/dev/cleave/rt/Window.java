package dev.cleave.rt;

/**
 * How many calls one activation of a loop may have in flight, up to a bound.
 *
 * <p>It grows whenever the program had to wait for a call: at least to twice what it was, or at once to what the wait
 * shows to be missing, as many calls as the program would have made while it stood still. When a server has no room for a
 * call it halves, once for all calls that were sent before; from then on it grows by one for each windowful of waits, as
 * congestion windows do (Chiu and Jain: Analysis of the Increase and Decrease Algorithms, 1989).
 */
final class Window {

    private final int bound;
    private int size;
    private boolean careful;
    private boolean halved;
    private int waits;
    private long halvedAt;

    /** Creates a window that begins at a size, cut to the bound. */
    Window(int first, int bound) {
        this(first, bound, false);
    }

    /**
     * The same.
     *
     * @param careful whether it grows by one for each windowful from the beginning, since a server was full before
     */
    Window(int first, int bound, boolean careful) {
        if (first < 1) {
            throw new IllegalArgumentException("first: " + first + " (expected: 1 or more)");
        }
        this.bound = bound;
        this.size = Math.min(first, bound);
        this.careful = careful;
    }

    int size() {
        return size;
    }

    /**
     * The program was faster than the calls.
     *
     * @param blockedNanos how long it waited
     * @param stepNanos how long one of its iterations takes without waiting
     */
    void waited(long blockedNanos, long stepNanos) {
        if (careful) {
            if (++waits >= size) {
                waits = 0;
                size = Math.min(bound, size + 1);
            }
            return;
        }
        long missing = blockedNanos / Math.max(1, stepNanos);
        size = (int) Math.min(bound, Math.max(2L * size, size + Math.min(bound, missing)));
    }

    /**
     * A server had no room for a call.
     *
     * @param sentAt when the call was sent
     * @param now when that was found out, in nanoseconds of the same clock
     */
    void refused(long sentAt, long now) {
        if (halved && sentAt - halvedAt < 0) {
            return;
        }
        careful = true;
        halved = true;
        waits = 0;
        halvedAt = now;
        size = Math.max(1, size / 2);
    }
}
