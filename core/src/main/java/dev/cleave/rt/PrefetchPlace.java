package dev.cleave.rt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A loop, or a stretch of code, that prefetches: its calls, and how far ahead it was worth running. Safe for use by any
 * thread: a lost update costs nothing but time.
 *
 * <p>An activation begins with the window that the one before had, or, where that one gave calls up, with a quarter of what it
 * claimed: as much again would have been one call in five for nothing. Where it is a guess that there is a second pass, calls
 * are sent for the first pass, too, once {@value #TRUSTED} activations in a row have come to their second.
 */
final class PrefetchPlace {

    private static final int FIRST = 2;

    /** After so many activations with a second pass the next one is expected to have one. */
    private static final int TRUSTED = 4;

    /** For each call that is given up so many are to be claimed. */
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

    /** The pass of the program in which an activation is to begin. */
    int firstPass() {
        return repeated >= TRUSTED ? 0 : firstPass;
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

    /**
     * An activation has ended.
     *
     * @param isRepeated whether it came to a second pass
     * @param claimed how many calls it has claimed
     * @param left how many it has given up at its end
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
