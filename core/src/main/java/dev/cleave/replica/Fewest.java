package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;

/** Finds the replica that has the fewest calls of this process. */
final class Fewest {

    private Fewest() {}

    /**
     * Returns the replica with the fewest calls.
     *
     * @param first the index at which the search begins: the first of equal replicas is taken
     */
    static Replicas.Replica of(List<Replicas.Replica> candidates, Burden burden, int first) {
        int size = candidates.size();
        Replicas.Replica best = candidates.get(Math.floorMod(first, size));
        int fewest = burden.outstanding(best.name());
        for (int i = 1; i < size && fewest > 0; i++) {
            Replicas.Replica candidate = candidates.get(Math.floorMod(first + i, size));
            int outstanding = burden.outstanding(candidate.name());
            if (outstanding < fewest) {
                best = candidate;
                fewest = outstanding;
            }
        }
        return best;
    }
}
