package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The placement of a call at a replica, until the call has ended there. Thread-safe. */
public final class Placement {

    private final Replicas.Replica replica;
    private final @Nullable Balancer balancer;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.SENT);

    private enum Stage {
        /** The call was sent, and the replica has not reported that it began. */
        SENT,
        /** The replica has begun the call. */
        BEGUN,
        /** The call has left the replica. */
        ENDED
    }

    Placement(Replicas.Replica replica, @Nullable Balancer balancer) {
        this.replica = replica;
        this.balancer = balancer;
    }

    /** The replica of the call. */
    public Replicas.Replica replica() {
        return replica;
    }

    /** Whether the balancer counts the call. */
    public boolean isCounted() {
        return balancer != null;
    }

    /** Whether the replica must report when the call has begun. */
    public boolean isPulled() {
        return balancer != null && balancer.pulls();
    }

    /** Notes that the replica has begun the call; only the first time counts. */
    public void begun() {
        if (balancer != null && stage.compareAndSet(Stage.SENT, Stage.BEGUN)) {
            balancer.begun(replica.name());
        }
    }

    /** Notes that the call has left the replica, or has not reached it; only the first time counts. */
    public void end() {
        if (balancer == null) {
            return;
        }
        Stage before = stage.getAndSet(Stage.ENDED);
        if (before != Stage.ENDED) {
            balancer.ended(replica.name(), before == Stage.BEGUN);
        }
    }
}
