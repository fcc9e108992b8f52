package dev.cleave.lab.cluster;

import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.cluster.ClusterThreads;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Replicas;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker of a simulated cluster: registry and membership of production, on simulated threads. */
final class SimulatedMember {

    /**
     * How long things take.
     *
     * @param event until a change of the store is told, in nanoseconds
     * @param verb a registration or removal of one replica at the store, or another verb, in nanoseconds
     * @param registry a task of the registry's thread, in nanoseconds
     * @param mostBeforeWrite for how long a write is under way at most while others go on, in milliseconds
     * @param writers how many verbs of different replicas a broker runs side by side
     */
    record Pace(LongSupplier event, LongSupplier verb, LongSupplier registry, int mostBeforeWrite, int writers) {

        /** A store and brokers that are slow: much happens meanwhile. */
        static Pace slow(Timeline timeline, int writers) {
            return new Pace(timeline.millis(30), timeline.millis(15), timeline.millis(2), 20, writers);
        }
    }

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final String id;
    private final Timeline timeline;
    private final InMemoryStore session;
    private final RegistryHistory history;
    private final Pace pace;
    private final Registry registry;
    private final Cluster cluster;
    private final Executor registryThread;
    private final Set<Party> gone = new HashSet<>();
    private @Nullable SimulatedOrders orders;
    private boolean dead;
    private boolean frozen;
    private boolean cut;
    private long undisturbedSince;
    private long registryNanos;
    private long registryTasks;

    SimulatedMember(
            String id,
            Timeline timeline,
            InMemoryStore.Ensemble ensemble,
            StoreKind kind,
            @Nullable StoreDefect defect,
            RegistryHistory history,
            Pace pace) {
        this.id = id;
        this.timeline = timeline;
        this.history = history;
        this.pace = pace;
        session = ensemble.open(thread(pace.event()));
        Executor ofRegistry = thread(pace.registry());
        registryThread = task -> ofRegistry.execute(() -> measured(task));
        Executor storeThread = thread(pace.verb());
        List<Executor> writers = pace.writers() == 1
                ? List.of(storeThread)
                : Stream.generate(() -> thread(pace.verb()))
                        .limit(pace.writers())
                        .toList();
        ClusterStore store =
                kind == StoreKind.MEMORY ? session : new FollowerStore(id, session, defect, history, timeline::below);
        registry = new Registry(Bindings.NONE, LEASE, timeline::nanos);
        cluster = new Cluster(
                new BrokerMember(id, "tcp://" + id + ":7420", 0, timeline.nanos() / 1_000_000),
                new DefectiveStore(id, store, kind, defect, history, this::beforeWrite),
                registry,
                new ClusterThreads(registryThread, storeThread, writers),
                timeline::nanos);
        undisturbedSince = timeline.nanos();
        cluster.start();
        interval();
    }

    private void measured(Runnable task) {
        long began = System.nanoTime();
        try {
            task.run();
        } finally {
            registryNanos += System.nanoTime() - began;
            registryTasks++;
        }
    }

    /** The real time that this computer has needed for the tasks of the registry's thread, and their number. */
    long[] registryWork() {
        return new long[] {registryNanos, registryTasks};
    }

    private Executor thread(LongSupplier time) {
        return timeline.thread(time, this::isFrozen, this::isDead);
    }

    /** A write takes a while to reach the store: others may write before, or this broker may stand still. */
    private void beforeWrite() {
        if (pace.mostBeforeWrite() == 0) {
            return;
        }
        timeline.letOthersRun(timeline.upTo(pace.mostBeforeWrite()));
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

    /** Cuts it from the store, which ends its session after a while. */
    void cut(long millis) {
        if (!cut && !dead) {
            suspend(millis);
            lapse(millis);
        }
    }

    /** Cuts it from a store that has no leader, which ends no sessions. */
    void suspend(long millis) {
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
