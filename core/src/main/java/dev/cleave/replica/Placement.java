package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call at the replica that was chosen for it, until it has ended there. Thread-safe. */
public final class Placement {

    private final Replicas.Replica replica;
    private final @Nullable Balancer balancer;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.SENT);

    private enum Stage {
        /** It is not known to have begun. */
        SENT,
        /** The replica works on it. */
        BEGUN,
        /** It is not there any more. */
        ENDED
    }

    Placement(Replicas.Replica replica, @Nullable Balancer balancer) {
        this.replica = replica;
        this.balancer = balancer;
    }

    /** Where the call is. */
    public Replicas.Replica replica() {
        return replica;
    }

    /** Whether an account is kept of it. */
    public boolean isCounted() {
        return balancer != null;
    }

    /** Whether the replica is to say when the call has begun. */
    public boolean isPulled() {
        return balancer != null && balancer.pulls();
    }

    /** The replica has said that the call has begun; only the first time counts. */
    public void begun() {
        if (balancer != null && stage.compareAndSet(Stage.SENT, Stage.BEGUN)) {
            balancer.begun(replica.name());
        }
    }

    /** The call is not there any more, or never came there; only the first time counts. */
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
