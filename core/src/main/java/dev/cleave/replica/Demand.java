package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** At most so many calls at each replica. */
final class Demand implements BalancePolicy {

    private final int window;
    private int next; // where the search begins, so that equals take turns

    Demand(int window) {
        if (window < 1) {
            throw new IllegalArgumentException("demand: " + window + " (expected: at least 1)");
        }
        this.window = window;
    }

    @Override
    public Replicas.@Nullable Replica pick(List<Replicas.Replica> candidates, Burden burden, @Nullable Object key) {
        Replicas.Replica best = Fewest.of(candidates, burden, next++);
        return burden.outstanding(best.name()) < window ? best : null;
    }
}
