package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Gives a replica that joins others its full share of calls only after {@value #SECONDS} s: code is compiled and caches are
 * filled with a few calls first. The first replicas of a service, and a replica that is alone, have it at once.
 *
 * <p>Thread-safe. Costs a call nothing while no replica is new.
 */
final class SlowStart {

    static final int SECONDS = 5;

    private static final long NANOS = SECONDS * 1_000_000_000L;
    private static final double LEAST_SHARE = 0.1;
    private static final double MOST_CREDIT = 2;

    private final LongSupplier nanos;

    @GuardedBy("this")
    private final Map<String, Long> since = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Double> credits = new HashMap<>();

    private volatile Set<String> fresh = Set.of();
    private volatile long nextEnd; // the earliest time at which a new replica gets its full share

    SlowStart(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos, "nanos");
    }

    /** Sets the replicas of the service. */
    synchronized void keep(Collection<String> replicas) {
        long now = nanos.getAsLong();
        boolean established = since.values().stream().anyMatch(at -> now - at >= NANOS);
        since.keySet().retainAll(replicas);
        credits.keySet().retainAll(replicas);
        Set<String> still = new HashSet<>(fresh);
        still.retainAll(replicas);
        for (String replica : replicas) {
            if (since.putIfAbsent(replica, now) == null && established) {
                still.add(replica);
            }
        }
        update(still, now);
    }

    /** Returns the candidates that take part in the next choice; at least one. */
    List<Replicas.Replica> candidates(List<Replicas.Replica> all) {
        return fresh.isEmpty() || all.size() < 2 ? all : taking(all);
    }

    private synchronized List<Replicas.Replica> taking(List<Replicas.Replica> all) {
        long now = nanos.getAsLong();
        if (now - nextEnd >= 0) {
            update(fresh, now);
        }
        List<Replicas.Replica> taking = new ArrayList<>(all.size());
        for (Replicas.Replica replica : all) {
            if (!fresh.contains(replica.name()) || takesPart(replica.name(), now, all.size())) {
                taking.add(replica);
            }
        }
        return taking.isEmpty() ? all : taking;
    }

    /** Takes the credit of a replica that has been chosen. */
    void chosen(Replicas.Replica replica) {
        if (fresh.contains(replica.name())) {
            synchronized (this) {
                credits.computeIfPresent(replica.name(), (name, credit) -> Math.max(0, credit - 1));
            }
        }
    }

    /**
     * Says whether a new replica has saved the credit for a call. It keeps the credit until it is chosen: otherwise a
     * policy that picks in the same rhythm might never choose it.
     */
    @GuardedBy("this")
    private boolean takesPart(String replica, long now, int candidates) {
        double share = Math.max(LEAST_SHARE, (double) (now - since.getOrDefault(replica, now)) / NANOS);
        double credit = Math.min(MOST_CREDIT, credits.getOrDefault(replica, 0.0) + share / candidates);
        credits.put(replica, credit);
        return credit >= 1;
    }

    @GuardedBy("this")
    private void update(Set<String> candidates, long now) {
        Set<String> next = new HashSet<>();
        long end = Long.MAX_VALUE;
        for (String replica : candidates) {
            long left = since.getOrDefault(replica, now) + NANOS - now;
            if (left > 0) {
                next.add(replica);
                end = Math.min(end, left);
            }
        }
        credits.keySet().retainAll(next);
        nextEnd = now + (next.isEmpty() ? 0 : end);
        fresh = Set.copyOf(next);
    }
}
