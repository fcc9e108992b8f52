package dev.cleave.rt;

/**
 * One loop in the program's text: remembers how far ahead it was worth running, for the next activation.
 *
 * <p>The first activation begins with two calls in flight; so does one after an activation that gave up calls, since what
 * ends early should not send much. Safe for use by any thread: a lost update costs nothing but time.
 */
final class LoopSite {

    private static final int FIRST = 2;

    private final int bound;
    private final int sends;
    private volatile int learned = FIRST;
    private volatile boolean careful; // a server was full

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
        return new LoopQueue(this, new Window(learned, bound, careful), sends);
    }

    /** An activation waited, and went on with this window. */
    void grown(int size) {
        if (size > learned) {
            learned = size;
        }
    }

    /** An activation sent more than a server had room for. */
    void shrunk(int size) {
        careful = true;
        learned = size;
    }

    /** An activation gave up calls that it had sent. */
    void overshot() {
        if (learned != FIRST) {
            learned = FIRST;
        }
    }
}
