package dev.cleave.rt;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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
    private final Set<String> calls = ConcurrentHashMap.newKeySet(); // remote methods that the loop has sent
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
        if (bound < 1 || sends < 1) {
            throw new IllegalArgumentException(
                    "bound, sends: " + bound + ", " + sends + " (expected: at least 1 each)");
        }
        this.bound = bound;
        this.sends = sends;
        this.wide = wide;
    }

    /** Begins an activation. */
    LoopQueue open() {
        return new LoopQueue(this, new Window(learned, bound()), sends);
    }

    /** Notes that the loop sends calls of a method. */
    void sends(String call) {
        calls.add(call);
    }

    /** The most calls in flight: as the code was rewritten, unless the application file has changed since. */
    int bound() {
        Map<String, Integer> changed = Bounds.known();
        return changed.isEmpty() || calls.isEmpty()
                ? bound
                : calls.stream()
                        .mapToInt(call -> changed.getOrDefault(call, bound))
                        .min()
                        .getAsInt();
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
