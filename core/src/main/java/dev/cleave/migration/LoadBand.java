package dev.cleave.migration;

import java.util.Collection;
import java.util.TreeSet;

/**
 * The range of loads within which a server does not report again: no condition changes, and the load that the broker
 * knows is right to a factor of two. Any thread may call {@link #leaves}; the owner alone calls the other methods.
 */
public final class LoadBand {

    private final TreeSet<Integer> edges;
    private volatile long band = 1L << 32; // low and high of an empty band: the first load is always reported

    /**
     * Creates the band of a server that has not reported.
     *
     * @param edges the loads at which a condition may begin or cease to hold
     */
    public LoadBand(Collection<Integer> edges) {
        this.edges = new TreeSet<>(edges);
    }

    /** Says whether a load is outside of the band and must be reported. */
    public boolean leaves(int load) {
        long now = band;
        return load < (int) (now >> 32) || load > (int) now;
    }

    /** Moves the band around a load that has been reported. */
    public void told(int load) {
        Integer below = edges.floor(load);
        Integer above = edges.higher(load);
        int low = Math.max(below == null ? 0 : below, load / 2 + load % 2);
        long high = Math.min(above == null ? Integer.MAX_VALUE : above - 1L, Math.max(2L * load - 1, load));
        band = (long) low << 32 | high;
    }
}
