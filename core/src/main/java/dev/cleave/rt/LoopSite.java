package dev.cleave.rt;

/**
 * One loop in the program's text: remembers the window for the next activation.
 *
 * <p>The first activation begins with two calls in flight; so does one after an activation that discarded calls, since
 * a loop that ends early should send few calls in vain. Safe for use by any thread: a lost update only costs time.
 */
final class LoopSite {

    private static final int FIRST = 2;

    private final int bound;
    private final int sends;
    private volatile int learned = FIRST;
    private volatile int patience; // the patience of the window, since a server was full
    private volatile int waits; // the number of waits since the window grew, if it is patient

    /**
     * Creates a site.
     *
     * @param bound the most calls in flight
     * @param sends the number of sends in one iteration at most
     */
    LoopSite(int bound, int sends) {
        if (bound < 1 || sends < 1) {
            throw new IllegalArgumentException(
                    "bound, sends: " + bound + ", " + sends + " (expected: at least 1 each)");
        }
        this.bound = bound;
        this.sends = sends;
    }

    /** Begins an activation. */
    LoopQueue open() {
        return new LoopQueue(this, new Window(learned, bound, patience, waits), sends);
    }

    /** Remembers the window of an activation that waited. */
    void grown(Window window) {
        if (window.size() > learned) {
            learned = window.size();
        }
        if (window.patience() > 0) {
            keep(window);
        }
    }

    /** Remembers the window of an activation that sent more calls than a server had room for. */
    void shrunk(Window window) {
        learned = window.size();
        keep(window);
    }

    private void keep(Window window) {
        patience = window.patience();
        waits = window.waits();
    }

    /** Notes that an activation discarded calls that it had sent. */
    void overshot() {
        if (learned != FIRST) {
            learned = FIRST;
        }
    }
}
