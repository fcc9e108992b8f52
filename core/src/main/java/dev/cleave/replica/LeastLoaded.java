package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Replicas;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Picks the less loaded of two replicas chosen at random. */
final class LeastLoaded implements BalancePolicy {

    private final RandomGenerator random;

    LeastLoaded(RandomGenerator random) {
        this.random = requireNonNull(random, "random");
    }

    @Override
    public int room(String replica, InFlightCounts inFlight) {
        return inFlight.waiting(replica) <= inFlight.mayWait(replica) ? inFlight.free(replica) : 0;
    }

    @Override
    public boolean needsReports() {
        return true;
    }

    @Override
    public boolean pulls() {
        return true;
    }

    @Override
    public Replicas.@Nullable Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        int size = candidates.size();
        int one = random.nextInt(size);
        int other = size == 1 ? one : (one + 1 + random.nextInt(size - 1)) % size;
        Replicas.Replica first = candidates.get(one);
        Replicas.Replica second = candidates.get(other);
        Replicas.Replica better = inFlight.load(first.name()) <= inFlight.load(second.name()) ? first : second;
        return hasRoom(better, inFlight) ? better : leastLoaded(candidates, inFlight);
    }

    private static Replicas.@Nullable Replica leastLoaded(List<Replicas.Replica> candidates, InFlightCounts inFlight) {
        return candidates.stream()
                .filter(candidate -> hasRoom(candidate, inFlight))
                .min(Comparator.comparingDouble(candidate -> inFlight.load(candidate.name())))
                .orElse(null);
    }

    private static boolean hasRoom(Replicas.Replica candidate, InFlightCounts inFlight) {
        return inFlight.waiting(candidate.name()) <= inFlight.mayWait(candidate.name());
    }
}
