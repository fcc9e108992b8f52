package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rendezvous hashing (Thaler and Ravishankar, 1998) with bounded loads (Mirrokni, Thorup and Zadimoghaddam, 2018). */
final class Affinity implements BalancePolicy {

    private static final double MORE_THAN_AVERAGE = 1.25;
    private static final long FEW = 2; // a replica may have this many calls at any rate: one that has just ended may still be counted

    private int next; // index at which the search for the fewest calls begins, for calls without a key

    @Override
    public Replicas.Replica pick(List<Replicas.Replica> candidates, Burden burden, @Nullable Object key) {
        if (key == null) {
            return Fewest.of(candidates, burden, next++);
        }
        long outstanding = 1;
        for (Replicas.Replica candidate : candidates) {
            outstanding += burden.outstanding(candidate.name());
        }
        long most = Math.max(FEW, (long) Math.ceil(MORE_THAN_AVERAGE * outstanding / candidates.size()));
        long hash = Keys.hash(key);
        Replicas.Replica best = null;
        long highest = 0;
        for (Replicas.Replica candidate : candidates) {
            long rank = Keys.mix(hash ^ Keys.hash(candidate.name()));
            if (burden.outstanding(candidate.name()) < most && (best == null || rank > highest)) {
                best = candidate;
                highest = rank;
            }
        }
        return best != null ? best : Fewest.of(candidates, burden, next++);
    }
}
