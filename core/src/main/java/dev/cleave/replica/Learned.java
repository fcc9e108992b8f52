package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends first the waiting call that will take longest, by what earlier calls of its kind and size took, to the replica
 * that has least to do; every 16th call sent is the one that has waited longest. A replica has one call waiting for each that it could run while the next one is on its way.
 */
final class Learned implements BalancePolicy {

    private static final int OLDEST_EVERY = 16; // choices: so a short call does not wait for ever

    private int chosen;
    private int next; // index at which the search begins, so that equal replicas take turns

    @Override
    public int room(String replica, InFlightCounts inFlight) {
        return Math.max(0, inFlight.mayWait(replica) - inFlight.waiting(replica));
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
    public boolean weighs() {
        return true;
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public int choose(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, Iterator<? extends @Nullable Object> keys) {
        if (candidates.stream().noneMatch(candidate -> hasRoom(candidate, inFlight))) {
            return -1;
        }
        int longest = 0;
        double most = -1;
        boolean isTurnOfFirst = ++chosen % OLDEST_EVERY == 0;
        for (int i = 0; keys.hasNext() && !isTurnOfFirst; i++) {
            double time = inFlight.time(keys.next());
            if (time > most) {
                longest = i;
                most = time;
            }
        }
        return longest;
    }

    @Override
    public Replicas.@Nullable Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        int first = next++;
        Replicas.Replica best = null;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < candidates.size(); i++) {
            Replicas.Replica candidate = candidates.get(Math.floorMod(first + i, candidates.size()));
            double work = inFlight.work(candidate.name());
            if (work < least && hasRoom(candidate, inFlight)) {
                best = candidate;
                least = work;
            }
        }
        return best;
    }

    private static boolean hasRoom(Replicas.Replica candidate, InFlightCounts inFlight) {
        return inFlight.waiting(candidate.name()) < inFlight.mayWait(candidate.name());
    }
}
