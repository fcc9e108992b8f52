package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One replica after the other. */
final class RoundRobin implements BalancePolicy {

    private final AtomicLong next;

    RoundRobin(int first) {
        next = new AtomicLong(Integer.toUnsignedLong(first));
    }

    @Override
    public Replicas.Replica pick(List<Replicas.Replica> candidates) {
        return candidates.get(Math.floorMod(next.getAndIncrement(), candidates.size()));
    }
}
