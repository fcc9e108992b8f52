package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Replicas;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Picks the less loaded of two replicas chosen at random.
 *
 * <p>A replica that has as many waiting calls of this process as it needs gets no more: how long they take is not known, and one that
 * waits behind a long one may wait while another replica has nothing to do. The call goes to the least loaded of the others, unless
 * these are busier by a call for each slot, with calls of other processes; then it waits here until a replica begins a call.
 */
final class LeastLoaded implements BalancePolicy {

    private final RandomGenerator random;

    LeastLoaded(RandomGenerator random) {
        this.random = requireNonNull(random, "random");
    }

    @Override
    public int room(String replica, InFlightCounts inFlight) {
        return hasRoom(replica, inFlight) ? inFlight.free(replica) : 0;
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
        return hasRoom(better.name(), inFlight)
                ? better
                : leastLoaded(candidates, inFlight, inFlight.load(better.name()) + 1);
    }

    private static Replicas.@Nullable Replica leastLoaded(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, double below) {
        return candidates.stream()
                .filter(candidate -> hasRoom(candidate.name(), inFlight) && inFlight.load(candidate.name()) < below)
                .min(Comparator.comparingDouble(candidate -> inFlight.load(candidate.name())))
                .orElse(null);
    }

    /** Whether a replica may get one more; of calls that take about as long as their way to it, one more than it needs. */
    private static boolean hasRoom(String replica, InFlightCounts inFlight) {
        int most = inFlight.mayWait(replica);
        return inFlight.waiting(replica) < (most > 1 ? most + 1 : most);
    }
}
