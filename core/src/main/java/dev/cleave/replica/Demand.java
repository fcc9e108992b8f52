package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives each replica at most a window of calls. */
final class Demand implements BalancePolicy {

    /** A replica with fewer calls may get one more, whatever it has reported. */
    private static final int FEW = 2;

    private final int window;
    private int next; // index at which the search begins, so that equal replicas take turns

    Demand(int window) {
        if (window < 1) {
            throw new IllegalArgumentException("demand: " + window + " (expected: at least 1)");
        }
        this.window = window;
    }

    @Override
    public int room(String replica, InFlightCounts inFlight) {
        return Math.max(0, window - inFlight.outstanding(replica));
    }

    @Override
    public boolean weighs() {
        return true;
    }

    @Override
    public Replicas.@Nullable Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        if (key instanceof Work) {
            return byWork(candidates, inFlight);
        }
        Replicas.Replica best = LeastPending.of(candidates, inFlight, next++);
        return inFlight.outstanding(best.name()) < window ? best : null;
    }

    private Replicas.@Nullable Replica byWork(List<Replicas.Replica> candidates, InFlightCounts inFlight) {
        int first = next++;
        Replicas.Replica best = null;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < candidates.size(); i++) {
            Replicas.Replica candidate = candidates.get(Math.floorMod(first + i, candidates.size()));
            double work = inFlight.work(candidate.name());
            if (work < least && hasRoom(candidate.name(), inFlight)) {
                best = candidate;
                least = work;
            }
        }
        return best;
    }

    private boolean hasRoom(String replica, InFlightCounts inFlight) {
        int outstanding = inFlight.outstanding(replica);
        return outstanding < window && (outstanding < FEW || inFlight.waiting(replica) < inFlight.mayWait(replica));
    }
}
