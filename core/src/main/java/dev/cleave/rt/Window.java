package dev.cleave.rt;

/**
 * How many calls one activation of a loop may have in flight, up to a bound.
 *
 * <p>It grows whenever the program had to wait for a call: at least to twice what it was, or at once to what the wait
 * shows to be missing, as many calls as the program would have made while it stood still. When a server has no room for a
 * call it halves, once for all calls that were sent before; from then on it grows by one for each windowful of waits, as
 * congestion windows do (Chiu and Jain: Analysis of the Increase and Decrease Algorithms, 1989). Each time it halves it waits
 * twice as long before it grows, up to {@value #MOST_PATIENCE} windowfuls, and each time it grows half as long: a server that
 * stays full is seldom asked for more.
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
     * The same.
     *
     * @param patience that of one before, of a server that was full; 0 if none was
     * @param waits how many waits that one had since it grew
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

    /** How many windowfuls of waits it grows by one after; 0 if no server was full. */
    int patience() {
        return patience;
    }

    /** How many waits there were since it grew, if it is patient. */
    int waits() {
        return waits;
    }

    /**
     * The program was faster than the calls.
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
     * A server had no room for a call.
     *
     * @param sentAt when the call was sent
     * @param now when that was found out, in nanoseconds of the same clock
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
