package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives each replica at most a window of calls. */
final class Demand implements BalancePolicy {

    /** A replica with fewer calls may get one more though others have less to do: it is not to wait for it. */
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
        Replicas.Replica best = null; // of those with few calls, or with least to do of all
        Replicas.Replica idlest = null;
        double least = Double.MAX_VALUE;
        double leastOfAll = Double.MAX_VALUE;
        for (int i = 0; i < candidates.size(); i++) {
            Replicas.Replica candidate = candidates.get(Math.floorMod(first + i, candidates.size()));
            double work = inFlight.work(candidate.name());
            if (work < leastOfAll) {
                idlest = candidate;
                leastOfAll = work;
            }
            if (work < least && inFlight.outstanding(candidate.name()) < Math.min(FEW, window)) {
                best = candidate;
                least = work;
            }
        }
        return idlest != null && inFlight.outstanding(idlest.name()) < window ? idlest : best;
    }
}
