package dev.cleave.rt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A loop, or a stretch of code, that prefetches: its calls, and how far ahead it was worth running. Safe for use by any
 * thread: a lost update costs nothing but time.
 */
final class PrefetchPlace {

    private static final int FIRST = 2;

    private final int bound;
    private final int firstPass;
    private final boolean repeats;
    private final List<PrefetchSite> sites;
    private volatile int learned = FIRST;

    /**
     * Describes a place.
     *
     * @param bound the most calls in flight
     * @param firstPass the pass of the program in which to begin: 1 if whether there is a second one is a guess
     */
    PrefetchPlace(int bound, int firstPass, List<PrefetchSite> sites) {
        this(bound, firstPass, true, sites);
    }

    private PrefetchPlace(int bound, int firstPass, boolean repeats, List<PrefetchSite> sites) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound: " + bound + " (expected: 1 or more)");
        }
        this.bound = bound;
        this.firstPass = firstPass;
        this.repeats = repeats;
        this.sites = List.copyOf(sites);
    }

    /** Describes calls in a row, each of which is sent once. */
    static PrefetchPlace stretch(List<PrefetchSite> sites) {
        return new PrefetchPlace(sites.size(), 0, false, sites);
    }

    /** Whether there is one pass after another. */
    boolean repeats() {
        return repeats;
    }

    /** Begins an activation; null if all its calls are better made as written. */
    @Nullable
    PrefetchQueue open() {
        for (PrefetchSite site : sites) {
            site.activated();
        }
        return Sites.isEnabled() && isWanted() ? new PrefetchQueue(this, System::nanoTime) : null;
    }

    boolean isWanted() {
        for (PrefetchSite site : sites) {
            if (!site.isStopped()) {
                return true;
            }
        }
        return false;
    }

    PrefetchSite site(int position) {
        return sites.get(position);
    }

    int sites() {
        return sites.size();
    }

    int bound() {
        return bound;
    }

    int firstPass() {
        return firstPass;
    }

    int firstWindow() {
        return Math.min(Math.max(learned, sites.size()), bound);
    }

    /** An activation was worth a window. */
    void grown(int window) {
        if (window > learned) {
            learned = window;
        }
    }

    /** An activation sent more than a server had room for. */
    void shrunk(int window) {
        learned = window;
    }

    /** An activation sent what it did not need. */
    void overshot() {
        if (learned != FIRST) {
            learned = FIRST;
        }
    }
}
