package dev.cleave.server;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many fetches of results wait, of all peers and of each. Guarded by the {@link Lanes}. */
final class FetchCounts {

    private final int most;
    private final int mostOfOne;
    private final Map<Object, Integer> byPeer = new HashMap<>();
    private int all;

    /**
     * Counts none yet.
     *
     * @param most the most fetches of all peers
     * @param mostOfOne the most fetches of one peer
     */
    FetchCounts(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /** Whether one more fetch of a peer may wait. */
    boolean hasRoom(Object peer) {
        return all < most && byPeer.getOrDefault(peer, 0) < mostOfOne;
    }

    /**
     * Returns the peer that has the most, if there is no room left for one more fetch of {@code peer} and that one would not have
     * more than it; else null.
     */
    @Nullable
    Object greediest(Object peer) {
        int own = byPeer.getOrDefault(peer, 0);
        if (all < most || own >= mostOfOne) {
            return null;
        }
        Map.Entry<Object, Integer> found = Collections.max(byPeer.entrySet(), Map.Entry.comparingByValue());
        return found.getValue() > own + 1 ? found.getKey() : null;
    }

    /** A fetch of a peer waits. */
    void enter(Object peer) {
        all++;
        byPeer.merge(peer, 1, Integer::sum);
    }

    /** A fetch of a peer waits no longer. */
    void end(Object peer) {
        all--;
        int left = byPeer.getOrDefault(peer, 0) - 1;
        if (left > 0) {
            byPeer.put(peer, left);
        } else {
            byPeer.remove(peer);
        }
    }

    int size() {
        return all;
    }
}
