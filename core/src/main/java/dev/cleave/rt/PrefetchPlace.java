package dev.cleave.rt;

import java.util.List;

/**
 * A loop, or a stretch of code, that prefetches: its calls and its window. Safe for use by any thread: a lost update
 * only costs time.
 *
 * <p>An activation begins with the window of the one before, or, if that one discarded calls, with a quarter of the
 * calls that it claimed: so at most one call in five is sent in vain. If it is a guess that there is a second pass,
 * calls are also sent for the first pass once {@value #TRUSTED} activations in a row have reached their second.
 */
final class PrefetchPlace {

    private static final int FIRST = 2;

    /** After this many activations with a second pass the next one is expected to have one. */
    private static final int TRUSTED = 4;

    /** For each discarded call this many must be claimed. */
    private static final int CLAIMS = 4;

    private final int bound;
    private final int firstPass;
    private final boolean repeats;
    private final List<PrefetchSite> sites;
    private volatile int learned = FIRST;
    private volatile int repeated; // activations in a row, up to TRUSTED

    /**
     * Describes a place.
     *
     * @param bound the most calls in flight
     * @param firstPass the pass of the program in which to begin: 1 if it is a guess that there is a second pass
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

    /** Whether the place is a loop. */
    boolean repeats() {
        return repeats;
    }

    /** An activation begins; whether it is to prefetch, as not all its calls are better made as written. */
    boolean isActivated() {
        for (PrefetchSite site : sites) {
            site.activated();
        }
        return Sites.isEnabled() && isWanted();
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

    /** The pass of the program in which an activation is to begin. */
    int firstPass() {
        return repeated >= TRUSTED ? 0 : firstPass;
    }

    int firstWindow() {
        return Math.min(Math.max(learned, sites.size()), bound);
    }

    /** Remembers the window of an activation that waited. */
    void grown(int window) {
        if (window > learned) {
            learned = window;
        }
    }

    /** Remembers the window of an activation that sent more calls than a server had room for. */
    void shrunk(int window) {
        learned = window;
    }

    /**
     * Called when an activation has ended.
     *
     * @param isRepeated whether it reached a second pass
     * @param claimed the number of calls that it claimed
     * @param left the number of calls that it discarded at its end
     */
    void ended(boolean isRepeated, long claimed, int left) {
        if (!isRepeated) {
            repeated = 0;
        } else if (repeated < TRUSTED) {
            repeated++;
        }
        if (left > 0) {
            learned = (int) Math.max(FIRST, Math.min(learned, claimed / CLAIMS));
        }
    }
}
