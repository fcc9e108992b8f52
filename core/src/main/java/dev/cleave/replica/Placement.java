package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A call at the replica that was chosen for it, until it has ended there. Thread-safe. */
public final class Placement {

    private final Replicas.Replica replica;
    private final @Nullable Balancer balancer;
    private final AtomicBoolean ended = new AtomicBoolean();

    Placement(Replicas.Replica replica, @Nullable Balancer balancer) {
        this.replica = replica;
        this.balancer = balancer;
    }

    /** Where the call is. */
    public Replicas.Replica replica() {
        return replica;
    }

    /** The call is not there any more, or never came there; only the first time counts. */
    public void end() {
        if (balancer != null && ended.compareAndSet(false, true)) {
            balancer.ended(replica.name());
        }
    }
}
