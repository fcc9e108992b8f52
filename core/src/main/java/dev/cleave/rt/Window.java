package dev.cleave.rt;

/**
 * Bounds the number of calls that one activation of a loop may have in flight.
 *
 * <p>It grows whenever the program had to wait for a call: at least to twice its size, or at once by the number of
 * calls that the program could have made while it was blocked. When a server has no room for a call it halves, once for
 * all calls that were sent before; from then on it grows by one for each windowful of waits, as congestion windows do
 * (Chiu and Jain: Analysis of the Increase and Decrease Algorithms, 1989). Each time it halves it waits twice as long
 * before it grows, up to {@value #MOST_PATIENCE} windowfuls, and each time it grows half as long: a server that stays
 * full seldom gets more calls.
 */
final class Window {

    /** The most windowfuls of waits before it grows. */
    static final int MOST_PATIENCE = 32;

    private final int bound;
    private int size;
    private int patience; // windowfuls before it grows by one; 0 while no server was full
    private boolean halved;
    private int waits;
    private long halvedAt;

    /** Creates a window that begins at a size, cut to the bound. */
    Window(int first, int bound) {
        this(first, bound, 0, 0);
    }

    /**
     * Creates a window that continues an earlier one.
     *
     * @param patience the patience of the earlier window; 0 if no server was full
     * @param waits the number of waits since the earlier window grew
     */
    Window(int first, int bound, int patience, int waits) {
        if (first < 1) {
            throw new IllegalArgumentException("first: " + first + " (expected: 1 or more)");
        }
        this.bound = bound;
        this.size = Math.min(first, bound);
        this.patience = patience;
        this.waits = waits;
    }

    int size() {
        return size;
    }

    /** The number of windowfuls of waits after which it grows by one; 0 if no server was full. */
    int patience() {
        return patience;
    }

    /** The number of waits since it grew, if it is patient. */
    int waits() {
        return waits;
    }

    /**
     * Grows the window, because the program had to wait.
     *
     * @param blockedNanos how long it waited
     * @param stepNanos how long one of its iterations takes without waiting
     */
    void waited(long blockedNanos, long stepNanos) {
        if (patience > 0) {
            if (++waits >= size * patience) {
                waits = 0;
                patience = Math.max(1, patience / 2);
                size = Math.min(bound, size + 1);
            }
            return;
        }
        long missing = blockedNanos / Math.max(1, stepNanos);
        size = (int) Math.min(bound, Math.max(2L * size, size + Math.min(bound, missing)));
    }

    /**
     * Shrinks the window, because a server had no room for a call.
     *
     * @param sentAt when the call was sent
     * @param now the present time, in nanoseconds of the same clock
     */
    void refused(long sentAt, long now) {
        if (halved && sentAt - halvedAt < 0) {
            return;
        }
        patience = Math.min(MOST_PATIENCE, Math.max(1, 2 * patience));
        halved = true;
        waits = 0;
        halvedAt = now;
        size = Math.max(1, size / 2);
    }
}
