package dev.cleave.rt;

import org.jspecify.annotations.Nullable;

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
    private final WideCalls wide;
    private final Comparison comparison;
    private volatile Window.Learned learned = Window.Learned.first(FIRST);

    /**
     * Creates a site.
     *
     * @param bound the most calls in flight; {@link Window#AUTOMATIC} if no bound is set
     * @param sends the number of sends in one iteration at most
     */
    LoopSite(int bound, int sends) {
        this(bound, sends, WideCalls.OF_PROCESS);
    }

    LoopSite(int bound, int sends, WideCalls wide) {
        this(bound, sends, wide, new Comparison());
    }

    LoopSite(int bound, int sends, WideCalls wide, Comparison comparison) {
        if (bound < 1 || sends < 1) {
            throw new IllegalArgumentException(
                    "bound, sends: " + bound + ", " + sends + " (expected: at least 1 each)");
        }
        this.bound = bound;
        this.sends = sends;
        this.wide = wide;
        this.comparison = comparison;
    }

    /** Begins an activation. */
    LoopQueue open() {
        return new LoopQueue(this, new Window(learned, bound), sends);
    }

    /** Begins an activation, compared with others as written; null if the loop was found to be faster so. */
    @Nullable
    LoopQueue openCompared() {
        Comparison.Way way = comparison.next();
        if (way == Comparison.Way.WRITTEN) {
            return null;
        }
        LoopQueue queue = open();
        queue.measure(Trial.begin(comparison, way));
        return queue;
    }

    /** The calls beyond the first of each window, of all loops that share their room. */
    WideCalls wide() {
        return wide;
    }

    /** Remembers the window of an activation that waited. */
    void grown(Window window) {
        if (window.size() > learned.size() || window.patience() > 0) {
            learned = window.learned();
        }
    }

    /** An activation sent more than a server had room for, or than it was worth, and goes on with this window. */
    void shrunk(Window window) {
        learned = window.learned();
    }

    /** Notes that an activation discarded calls that it had sent. */
    void overshot() {
        if (learned.size() != FIRST) {
            learned = Window.Learned.first(FIRST);
        }
    }
}
