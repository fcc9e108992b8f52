package dev.cleave.lab.cluster;

import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.cluster.ClusterThreads;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Replicas;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A broker of a simulated cluster: registry and membership of production, on simulated threads. */
final class SimulatedMember {

    /**
     * How long things take at most, in milliseconds.
     *
     * @param eventMillis until a change of the store is told
     * @param verbMillis a registration
     */
    record Pace(int eventMillis, int verbMillis) {

        /** A store that is slow: much happens meanwhile. */
        static final Pace SLOW = new Pace(30, 15);

        /** A store that does a hundred registrations a second for each of ten brokers, less than was measured. */
        static final Pace MEASURED = new Pace(1, 10);
    }

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final String id;
    private final Timeline timeline;
    private final InMemoryStore session;
    private final RegistryHistory history;
    private final Registry registry;
    private final Cluster cluster;
    private final Executor registryThread;
    private final Set<Party> gone = new HashSet<>();
    private @Nullable SimulatedOrders orders;
    private boolean dead;
    private boolean frozen;
    private boolean cut;
    private long undisturbedSince;

    SimulatedMember(
            String id,
            Timeline timeline,
            InMemoryStore.Ensemble ensemble,
            @Nullable StoreDefect defect,
            RegistryHistory history,
            Pace pace) {
        this.id = id;
        this.timeline = timeline;
        this.history = history;
        session = ensemble.open(timeline.thread(pace.eventMillis(), this::isFrozen, this::isDead));
        registryThread = timeline.thread(2, this::isFrozen, this::isDead);
        Executor storeThread = timeline.thread(pace.verbMillis(), this::isFrozen, this::isDead);
        registry = new Registry(Bindings.NONE, LEASE, timeline::nanos);
        cluster = new Cluster(
                new BrokerMember(id, "tcp://" + id + ":7420", 0, timeline.nanos() / 1_000_000),
                new DefectiveStore(id, session, defect, history, this::beforeWrite),
                registry,
                new ClusterThreads(registryThread, storeThread),
                timeline::nanos);
        undisturbedSince = timeline.nanos();
        cluster.start();
        interval();
    }

    /** A write takes a while to reach the store: others may write before, or this broker may stand still. */
    private void beforeWrite() {
        timeline.letOthersRun(timeline.upTo(20));
        while (frozen && !dead && timeline.letsOthersRun()) {
            timeline.letOthersRun(100);
        }
    }

    private void interval() {
        if (!dead) {
            registryThread.execute(cluster::onInterval);
            registryThread.execute(this::order);
            timeline.after(1_000, this::interval);
        }
    }

    private void order() {
        long token = movesWith();
        SimulatedOrders to = orders;
        if (token > 0 && to != null) {
            to.send(id, token);
        }
    }

    /** Sends an order to a replica each second while this broker moves calls. */
    void orders(SimulatedOrders to) {
        orders = to;
    }

    /** The token with which it moves calls, as it believes; negative if it does not. */
    long movesWith() {
        return cluster.movesWith(SimulatedReplica.SERVICE);
    }

    String id() {
        return id;
    }

    boolean isDead() {
        return dead;
    }

    boolean isFrozen() {
        return frozen;
    }

    /** Describes its state, for a story. */
    String describe() {
        return id + (dead ? " is dead" : "") + (frozen ? " stands still" : "") + ": store " + cluster.health()
                + ", epoch "
                + cluster.fence() + ", provisional " + cluster.provisional() + ", members "
                + cluster.members().stream().map(BrokerMember::id).toList() + ", replicas "
                + replicas(SimulatedReplica.SERVICE);
    }

    /** Its epoch, as it believes. */
    long fence() {
        return cluster.fence();
    }

    /** For how long it has run and reached the store without a break, in milliseconds. */
    long calmMillis() {
        return dead || frozen || cut ? 0 : (timeline.nanos() - undisturbedSince) / 1_000_000;
    }

    void die() {
        dead = true;
        timeline.after(6_000, () -> {
            session.close();
            history.left(id);
        });
    }

    void freeze(long millis) {
        frozen = true;
        timeline.after(millis, () -> {
            frozen = false;
            undisturbedSince = timeline.nanos();
            if (!cut && !dead) {
                session.heal(); // it finds out whether its session has ended
            }
        });
        lapse(millis);
    }

    void cut(long millis) {
        if (cut || dead) {
            return;
        }
        cut = true;
        session.cut();
        timeline.after(millis, () -> {
            cut = false;
            undisturbedSince = timeline.nanos();
            if (!dead) {
                session.heal();
            }
        });
        lapse(millis);
    }

    /** Ends the session on the side of the store if the broker is away for longer than its time-out. */
    private void lapse(long millis) {
        if (millis > 6_000) {
            timeline.after(6_000, () -> {
                if (!dead) {
                    session.expire();
                    history.left(id);
                }
            });
        }
    }

    /** Registers a replica as the broker does for a session; the answer comes later, if ever. */
    void register(Party party, RegisterReplica said, Consumer<@Nullable RefusedException> answer) {
        registryThread.execute(() -> {
            try {
                registry.admit(party, said);
            } catch (RefusedException e) {
                answer.accept(e);
                return;
            }
            cluster.publish(party, said, refusal -> {
                RefusedException refused = refusal;
                if (refused == null && gone.contains(party)) {
                    cluster.withdraw(party, said);
                } else if (refused == null) {
                    try {
                        int unused = registry.register(party, said);
                    } catch (RefusedException e) {
                        cluster.withdraw(party, said);
                        refused = e;
                    }
                }
                answer.accept(refused);
            });
        });
    }

    /** Tells a party of its part of a service from now on. */
    void watch(Party party, String service) {
        registryThread.execute(() -> {
            try {
                ReplicaSet unused = registry.watch(party, service, party.address());
            } catch (RefusedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Renews the leases of a party; without effect if it has registrations, else tells that it has none. */
    void renew(Party party, Runnable whenForgotten) {
        registryThread.execute(() -> {
            try {
                int unused = registry.renew(party, 60_000);
            } catch (RefusedException e) {
                whenForgotten.run();
            }
        });
    }

    /** The connection of a party has ended. */
    void lost(Party party) {
        gone.add(party);
        registryThread.execute(() -> registry.lost(party));
    }

    /** Incarnations of the replicas of a service, by name, as this broker tells them. */
    Map<String, Long> replicas(String service) {
        Map<String, Long> all = new TreeMap<>();
        for (Replicas.Replica each : registry.lookup(service).replicas()) {
            all.put(each.name(), each.incarnation());
        }
        return all;
    }

    @Override
    public String toString() {
        return id;
    }
}
