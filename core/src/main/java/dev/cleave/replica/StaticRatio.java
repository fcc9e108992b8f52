package dev.cleave.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Replicas;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Picks replicas by fixed weights, evenly interleaved.
 *
 * <p>Replica i of weight w, among weights that sum to W, is to get its k-th call in the slots from (k-1)W/w to kW/w. Of
 * the replicas whose slot has begun the one whose slot ends first is picked. The slots of all replicas together need
 * exactly one pick at a time, so the earliest-deadline rule misses none of them (Liu and Layland, 1973), and no count
 * is ever 1 away from its share.
 */
final class StaticRatio implements BalancePolicy {

    private final Map<String, Integer> weights;

    @GuardedBy("this")
    private List<String> names = List.of();

    @GuardedBy("this")
    private long[] counts = {};

    /** Picks since the last time that every replica had exactly its share. */
    @GuardedBy("this")
    private long picks;

    StaticRatio(Map<String, Integer> weights) {
        this.weights = Map.copyOf(weights);
        this.weights.forEach((name, weight) -> {
            if (weight < 0) {
                throw new IllegalArgumentException("weight of " + name + ": " + weight + " (expected: at least 0)");
            }
        });
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public synchronized Replicas.Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        restartIfChanged(candidates);
        long weighed = names.stream().mapToLong(this::weight).sum();
        long sum = weighed > 0 ? weighed : names.size(); // no candidate has a weight: all get equal shares
        picks++;
        int best = -1;
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < counts.length; i++) {
            long weight = weighed > 0 ? weight(names.get(i)) : 1;
            if (weight == 0) {
                continue;
            }
            long end = ((counts[i] + 1) * sum + weight - 1) / weight;
            if (counts[i] * sum < picks * weight && end < earliest) {
                best = i;
                earliest = end;
            }
        }
        counts[best]++;
        if (picks == sum) {
            restart();
        }
        return candidates.get(best);
    }

    @GuardedBy("this")
    private void restartIfChanged(List<Replicas.Replica> candidates) {
        boolean same = names.size() == candidates.size();
        for (int i = 0; same && i < candidates.size(); i++) {
            same = names.get(i).equals(candidates.get(i).name());
        }
        if (!same) {
            names = candidates.stream().map(Replicas.Replica::name).toList();
            restart();
        }
    }

    @GuardedBy("this")
    private void restart() {
        counts = new long[names.size()];
        picks = 0;
    }

    private long weight(String name) {
        return weights.getOrDefault(name, 1);
    }
}
