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
 * Places the calls of one service by a policy that can be changed at any time, and counts them for the policy. Clients
 * use it for direct calls, and the broker for calls that it relays. Thread-safe.
 */
public final class Balancer implements Placement.Counter {

    private final Ledger ledger;
    private final SlowStart slowStart;
    private final Object picking = new Object();
    private volatile BalancePolicy policy;
    private volatile Runnable whenRoom = () -> {};

    /**
     * Creates a balancer without calls.
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

    /** Whether the policy uses the loads that replicas report. */
    public boolean needsReports() {
        return policy.needsReports();
    }

    /** Whether waiting calls may be placed in another order than that of their arrival. */
    public boolean chooses() {
        return policy.chooses();
    }

    /**
     * Chooses the waiting call to be placed next.
     *
     * @param candidates the replicas that the calls may go to, in the order of their names; not empty
     * @param keys the keys of the waiting calls in order of arrival, {@link Work} if the policy {@linkplain #weighs weighs}; at
     *     least one
     * @return the index of the call, from 0; -1 if no replica may take one more now
     */
    public int choose(List<Replicas.Replica> candidates, Iterator<? extends @Nullable Object> keys) {
        synchronized (picking) {
            BalancePolicy now = policy;
            return now.choose(candidates, ledger, new Iterator<@Nullable Object>() {
                @Override
                public boolean hasNext() {
                    return keys.hasNext();
                }

                @Override
                public @Nullable Object next() {
                    return key(now, keys.next());
                }
            });
        }
    }

    @Override
    public boolean pulls() {
        return policy.pulls();
    }

    /** Sets a task that runs each time that there may be room again for a waiting call. It may not block. */
    public void onRoom(Runnable task) {
        whenRoom = requireNonNull(task, "task");
    }

    /**
     * Places a call; null if no replica may take one more now.
     *
     * @param all the replicas that the call may go to, in the order of their names; not empty
     * @param key the key of the call; null if it has none
     */
    public @Nullable Placement place(List<Replicas.Replica> all, @Nullable Object key) {
        List<Replicas.Replica> candidates = slowStart.candidates(all);
        BalancePolicy now = policy;
        Object own = key(now, key);
        if (!now.counts()) {
            Replicas.Replica picked = now.pick(candidates, ledger, own);
            return picked == null ? null : new Placement(counted(picked), null, null);
        }
        synchronized (picking) {
            Replicas.Replica picked = now.pick(candidates, ledger, own);
            return picked == null ? null : begin(counted(picked), own);
        }
    }

    private Replicas.Replica counted(Replicas.Replica picked) {
        slowStart.chosen(picked);
        return picked;
    }

    /**
     * Places a call that cannot wait: at the replica that the policy picks, or else at the replica with the fewest
     * calls.
     */
    public Placement placeAnyway(List<Replicas.Replica> candidates, @Nullable Object key) {
        Placement placed = place(candidates, key);
        if (placed != null) {
            return placed;
        }
        synchronized (picking) {
            return begin(LeastPending.of(candidates, ledger, 0), key(policy, key));
        }
    }

    /** Places a call at a replica that was chosen elsewhere. */
    public Placement placeAt(Replicas.Replica replica) {
        return policy.counts() ? begin(replica, null) : new Placement(replica, null, null);
    }

    /** Takes the load that a replica has reported. */
    public void report(String replica, Load load) {
        ledger.report(replica, load);
    }

    /**
     * How busy a replica is, as the process knows that places calls there.
     *
     * @param load calls of other processes, as last reported, and calls of this one
     * @param room how many calls the policy would give to it now
     * @param placed how many calls this process ever gave to it; overflows
     */
    public record KnownLoad(Load load, int room, int placed) {}

    /** How busy a replica is, as other brokers are told. */
    public KnownLoad known(String replica) {
        return new KnownLoad(ledger.shown(replica), room(replica), ledger.placed(replica));
    }

    /** The number of calls that the policy would give to a replica now, one after the other ({@link BalancePolicy#room}). */
    public int room(String replica) {
        return policy.room(replica, ledger);
    }

    /** Forgets all replicas but these. */
    public void keep(Collection<String> replicas) {
        ledger.keep(replicas);
        slowStart.keep(replicas);
        whenRoom.run();
    }

    /** Whether the policy weighs calls: keys are {@link Work} where the time of a call may depend on its size. */
    public boolean weighs() {
        return policy.weighs();
    }

    /** Whether the policy learns the times of calls that have no priority. */
    public boolean learns() {
        return policy.learns();
    }

    @Override
    public void begun(String replica, Ledger.Entry entry) {
        ledger.begun(replica, entry);
        whenRoom.run();
    }

    /**
     * Counts a call that has left a replica.
     *
     * @param hadBegun whether the replica had reported that it began
     */
    @Override
    public void ended(String replica, Ledger.Entry entry, boolean hadBegun) {
        ledger.end(replica, hadBegun);
        ledger.learn(replica, entry);
        whenRoom.run();
    }

    private Placement begin(Replicas.Replica replica, @Nullable Object key) {
        return new Placement(replica, this, ledger.begin(replica.name(), key));
    }

    private static @Nullable Object key(BalancePolicy policy, @Nullable Object key) {
        return key instanceof Work work && !policy.weighs() ? work.key() : key;
    }
}
