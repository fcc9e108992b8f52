package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives each replica at most a group of calls that have not begun there, and sends a call to the replica that had the
 * last one with its key: the selection of the Distributed Clearance paper's transaction server, which gives a server
 * parts that it has worked on.
 */
final class PullPolicy implements BalancePolicy {

    static final int MOST_KEYS = 1 << 16; // the least recently used keys are forgotten

    private final int group;
    private final Map<Object, String> had = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, String> eldest) {
            return size() > MOST_KEYS;
        }
    };
    private int next; // index at which the search begins, so that equal replicas take turns

    PullPolicy(int group) {
        if (group < 1) {
            throw new IllegalArgumentException("pull: " + group + " (expected: at least 1)");
        }
        this.group = group;
    }

    @Override
    public int room(String replica, InFlightCounts inFlight) {
        return Math.max(0, group - inFlight.waiting(replica));
    }

    @Override
    public boolean pulls() {
        return true;
    }

    @Override
    public boolean chooses() {
        return true;
    }

    @Override
    public int choose(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, Iterator<? extends @Nullable Object> keys) {
        Set<String> room = new HashSet<>();
        for (Replicas.Replica candidate : candidates) {
            if (inFlight.waiting(candidate.name()) < group) {
                room.add(candidate.name());
            }
        }
        if (room.isEmpty()) {
            return -1;
        }
        int fresh = -1;
        for (int i = 0; keys.hasNext() && !had.isEmpty(); i++) {
            Object key = keys.next();
            String by = key == null ? null : had.get(key);
            if (by != null && room.contains(by)) {
                return i;
            }
            fresh = fresh < 0 && by == null ? i : fresh;
        }
        return Math.max(fresh, 0);
    }

    @Override
    public Replicas.@Nullable Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        String by = key == null ? null : had.get(key);
        int first = next++;
        Replicas.Replica best = null;
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < candidates.size(); i++) {
            Replicas.Replica candidate = candidates.get(Math.floorMod(first + i, candidates.size()));
            int outstanding = candidate.name().equals(by) ? -1 : inFlight.outstanding(candidate.name());
            if (outstanding < fewest && inFlight.waiting(candidate.name()) < group) {
                best = candidate;
                fewest = outstanding;
            }
        }
        if (best != null && key != null) {
            had.put(key, best.name());
        }
        return best;
    }
}
