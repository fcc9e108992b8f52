package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Load;
import dev.cleave.wire.Replicas;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places the calls of one service by a policy that can be changed at any time, and keeps account of them for it. The same in
 * clients, for calls that go directly, and in the broker, for those that it relays. Thread-safe.
 */
public final class Balancer {

    private final Ledger ledger;
    private final SlowStart slowStart;
    private final Object picking = new Object();
    private volatile BalancePolicy policy;
    private volatile Runnable whenRoom = () -> {};

    /**
     * Creates one without calls.
     *
     * @param nanos the clock
     */
    public Balancer(BalancePolicy policy, LongSupplier nanos) {
        this.policy = requireNonNull(policy, "policy");
        ledger = new Ledger(nanos);
        slowStart = new SlowStart(nanos);
    }

    /** Places calls by another policy from now on. */
    public void change(BalancePolicy next) {
        policy = requireNonNull(next, "next");
        whenRoom.run();
    }

    /** Whether calls are counted. */
    public boolean counts() {
        return policy.counts();
    }

    /** Whether the policy asks for what replicas have reported. */
    public boolean needsReports() {
        return policy.needsReports();
    }

    /** Whether calls that wait may be placed in another order than that in which they came. */
    public boolean chooses() {
        return policy.chooses();
    }

    /**
     * Which of the calls that wait is to be placed next.
     *
     * @param candidates where they may go, in the order of their names; not empty
     * @param keys what each of them has in common with others, in the order in which they came; at least one
     * @return the place of a key, from 0; -1 if no replica may take one more now
     */
    public int choose(List<Replicas.Replica> candidates, Iterator<? extends @Nullable Object> keys) {
        synchronized (picking) {
            return policy.choose(candidates, ledger, keys);
        }
    }

    /** Whether replicas are to say which calls have begun. */
    boolean pulls() {
        return policy.pulls();
    }

    /** Runs a task each time that there may be room again for a call that had none. It may not block. */
    public void onRoom(Runnable task) {
        whenRoom = requireNonNull(task, "task");
    }

    /**
     * Places a call; null if no replica may take one more now.
     *
     * @param all where it may go, in the order of their names; not empty
     * @param key what calls that belong together have in common; null if that is not known
     */
    public @Nullable Placement place(List<Replicas.Replica> all, @Nullable Object key) {
        List<Replicas.Replica> candidates = slowStart.candidates(all);
        BalancePolicy now = policy;
        if (!now.counts()) {
            Replicas.Replica picked = now.pick(candidates, ledger, key);
            return picked == null ? null : new Placement(counted(picked), null);
        }
        synchronized (picking) {
            Replicas.Replica picked = now.pick(candidates, ledger, key);
            return picked == null ? null : begin(counted(picked));
        }
    }

    private Replicas.Replica counted(Replicas.Replica picked) {
        slowStart.chosen(picked);
        return picked;
    }

    /** Places a call that cannot wait: where the policy says, or else at the replica with the fewest calls. */
    public Placement placeAnyway(List<Replicas.Replica> candidates, @Nullable Object key) {
        Placement placed = place(candidates, key);
        if (placed != null) {
            return placed;
        }
        synchronized (picking) {
            return begin(Fewest.of(candidates, ledger, 0));
        }
    }

    /** Places a call at the replica that it has been given to. */
    public Placement placeAt(Replicas.Replica replica) {
        return policy.counts() ? begin(replica) : new Placement(replica, null);
    }

    /** A replica has said how busy it is. */
    public void report(String replica, Load load) {
        ledger.report(replica, load);
    }

    /** Forgets the replicas that there are no more. */
    public void keep(Collection<String> replicas) {
        ledger.keep(replicas);
        slowStart.keep(replicas);
        whenRoom.run();
    }

    void begun(String replica) {
        ledger.begun(replica);
        whenRoom.run();
    }

    void ended(String replica, boolean hadBegun) {
        ledger.end(replica, hadBegun);
        whenRoom.run();
    }

    private Placement begin(Replicas.Replica replica) {
        ledger.begin(replica.name());
        return new Placement(replica, this);
    }
}
