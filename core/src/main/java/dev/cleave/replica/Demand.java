package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives each replica at most a window of calls. */
final class Demand implements BalancePolicy {

    private final int window;
    private int next; // index at which the search begins, so that equal replicas take turns

    Demand(int window) {
        if (window < 1) {
            throw new IllegalArgumentException("demand: " + window + " (expected: at least 1)");
        }
        this.window = window;
    }

    @Override
    public Replicas.@Nullable Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        Replicas.Replica best = LeastPending.of(candidates, inFlight, next++);
        return inFlight.outstanding(best.name()) < window ? best : null;
    }
}
