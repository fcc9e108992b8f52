package dev.cleave.replica;

import dev.cleave.wire.Replicas;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The placement of a call at a replica, until the call has ended there. Thread-safe. */
public final class Placement {

    private final Replicas.Replica replica;
    private final @Nullable Counter balancer;
    private final Ledger.@Nullable Entry entry;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.SENT);

    /** Counts the calls that run at replicas. Safe for use by any thread. */
    interface Counter {

        /** Whether replicas report when they have begun a call. */
        boolean pulls();

        /** A replica has begun a call. */
        void begun(String replica, Ledger.Entry entry);

        /** A call has left a replica, or has not reached it. */
        void ended(String replica, Ledger.Entry entry, boolean hadBegun);
    }

    private enum Stage {
        /** The call was sent, and the replica has not reported that it began. */
        SENT,
        /** The replica has begun the call. */
        BEGUN,
        /** The call has left the replica. */
        ENDED
    }

    Placement(Replicas.Replica replica, @Nullable Counter balancer, Ledger.@Nullable Entry entry) {
        this.replica = replica;
        this.balancer = balancer;
        this.entry = entry;
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
        return balancer != null && (balancer.pulls() || entry != null && entry.isWeighed());
    }

    /** Notes that the replica has begun the call; only the first time counts. */
    public void begun() {
        if (balancer != null && entry != null && stage.compareAndSet(Stage.SENT, Stage.BEGUN)) {
            balancer.begun(replica.name(), entry);
        }
    }

    /** Notes that the call has left the replica, or has not reached it; only the first time counts. */
    public void end() {
        if (balancer == null || entry == null) {
            return;
        }
        Stage before = stage.getAndSet(Stage.ENDED);
        if (before != Stage.ENDED) {
            balancer.ended(replica.name(), entry, before == Stage.BEGUN);
        }
    }
}
