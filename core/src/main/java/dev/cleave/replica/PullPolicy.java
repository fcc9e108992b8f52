package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.HashMap;
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
 *
 * <p>A group is a unit: a replica gets the next one when it has begun all calls of the last, and in it at most half of its share of the
 * calls that wait, by the calls that have ended there so far. So the groups become smaller towards the end, and those of slow replicas
 * are small.
 */
final class PullPolicy implements BalancePolicy {

    static final int MOST_KEYS = 1 << 16; // the least recently used keys are forgotten

    private static final int MANY = 256; // when a replica has had this many calls, all counts are halved

    private final int group;
    private final Map<Object, String> had = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, String> eldest) {
            return size() > MOST_KEYS;
        }
    };
    private final Map<String, Integer> left =
            new HashMap<>(); // calls that belong to the group of a replica and are to be sent
    private final Map<String, Integer> given = new HashMap<>(); // calls of each replica, those of long ago count less
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
        Iterator<? extends @Nullable Object> waiting = keys;
        if (group > 1) {
            if (candidates.stream().allMatch(candidate -> inFlight.waiting(candidate.name()) >= group)) {
                return -1;
            }
            List<@Nullable Object> all = new ArrayList<>();
            keys.forEachRemaining(all::add);
            beginGroups(candidates, inFlight, all.size());
            waiting = all.iterator();
        }
        Set<String> room = new HashSet<>();
        for (Replicas.Replica candidate : candidates) {
            if (hasRoom(candidate.name(), inFlight)) {
                room.add(candidate.name());
            }
        }
        if (room.isEmpty()) {
            return -1;
        }
        int fresh = -1;
        for (int i = 0; waiting.hasNext() && !had.isEmpty(); i++) {
            Object key = waiting.next();
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
            if (outstanding < fewest && hasRoom(candidate.name(), inFlight)) {
                best = candidate;
                fewest = outstanding;
            }
        }
        if (best != null && key != null) {
            had.put(key, best.name());
        }
        if (best != null && group > 1) {
            left.computeIfPresent(best.name(), (name, calls) -> calls - 1);
            if (given.merge(best.name(), 1, Integer::sum) >= MANY) {
                given.replaceAll((name, calls) -> calls / 2);
            }
        }
        return best;
    }

    /** Begins a group of each replica that has begun all calls of its last one. */
    private void beginGroups(List<Replicas.Replica> candidates, InFlightCounts inFlight, int waiting) {
        for (Replicas.Replica candidate : candidates) {
            if (inFlight.waiting(candidate.name()) == 0) {
                left.put(candidate.name(), share(candidate.name(), candidates, inFlight, waiting));
            }
        }
    }

    private boolean hasRoom(String replica, InFlightCounts inFlight) {
        int waiting = inFlight.waiting(replica);
        return waiting == 0 || waiting < group && left.getOrDefault(replica, group) > 0;
    }

    /** The calls of the next group of a replica. */
    private int share(String replica, List<Replicas.Replica> candidates, InFlightCounts inFlight, int waiting) {
        int all = 1;
        for (Replicas.Replica candidate : candidates) {
            all += ended(candidate.name(), inFlight);
        }
        return Math.max(1, Math.min(group, waiting * ended(replica, inFlight) / (2 * all)));
    }

    private int ended(String replica, InFlightCounts inFlight) {
        return Math.max(0, given.getOrDefault(replica, 0) - inFlight.outstanding(replica));
    }
}
