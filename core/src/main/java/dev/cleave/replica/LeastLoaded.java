package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Replicas;
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
    public boolean needsReports() {
        return true;
    }

    @Override
    public Replicas.Replica pick(List<Replicas.Replica> candidates, Burden burden, @Nullable Object key) {
        int size = candidates.size();
        int one = random.nextInt(size);
        int other = size == 1 ? one : (one + 1 + random.nextInt(size - 1)) % size;
        Replicas.Replica first = candidates.get(one);
        Replicas.Replica second = candidates.get(other);
        return burden.load(first.name()) <= burden.load(second.name()) ? first : second;
    }
}
