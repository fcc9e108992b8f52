package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Picks one replica after the other. */
final class RoundRobin implements BalancePolicy {

    private final AtomicLong next;

    RoundRobin(int first) {
        next = new AtomicLong(Integer.toUnsignedLong(first));
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public Replicas.Replica pick(List<Replicas.Replica> candidates, Burden burden, @Nullable Object key) {
        return candidates.get(Math.floorMod(next.getAndIncrement(), candidates.size()));
    }
}
