package dev.cleave.migration;

import java.util.Collection;
import java.util.TreeSet;

/**
 * The loads among which a server has nothing new to say: no condition changes, and what the broker knows is right to a factor of
 * two. Whether a load leaves the band may be asked by any thread; the rest is its owner's.
 */
public final class LoadBand {

    private final TreeSet<Integer> edges;
    private volatile long band = 1L << 32; // low and high of an empty one: the first load is always told

    /**
     * Creates one of a server that has said nothing.
     *
     * @param edges the loads from which on a condition may hold, or hold no longer
     */
    public LoadBand(Collection<Integer> edges) {
        this.edges = new TreeSet<>(edges);
    }

    /** Whether a load is to be told. */
    public boolean leaves(int load) {
        long now = band;
        return load < (int) (now >> 32) || load > (int) now;
    }

    /** A load has been told. */
    public void told(int load) {
        Integer below = edges.floor(load);
        Integer above = edges.higher(load);
        int low = Math.max(below == null ? 0 : below, load / 2 + load % 2);
        long high = Math.min(above == null ? Integer.MAX_VALUE : above - 1L, Math.max(2L * load - 1, load));
        band = (long) low << 32 | high;
    }
}
