package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.replica.Rendezvous;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Names;
import dev.cleave.wire.RegisterReplica;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One broker's part in a cluster: keeps the registry equal to the store, and the store equal to the registrations of the
 * servers that are connected here.
 *
 * <h2>Who owns what</h2>
 *
 * A record of the store belongs to the broker that it names as home, which alone writes it, on the condition that it has
 * not changed. It passes to another broker when the server registers there, also while the first one believes that the
 * server is its own: the later write wins, and the first broker yields when it learns of it ({@link Offers}). A record whose
 * home is gone stays, is still served, and is removed after {@link #ORPHANED} by the one broker that {@link Rendezvous}
 * chooses ({@link Orphans}).
 *
 * <h2>Without the store</h2>
 *
 * While the store does not answer, all that is known stays ({@link StoredReplicas}, {@link LiveBrokers}). Registrations are
 * accepted <em>provisionally</em>: this broker's nodes alone see them, until they can be written.
 *
 * <p>All methods belong to the registry's thread, except where they say otherwise. Verbs of the store run on a thread of
 * their own.
 */
public final class Cluster implements AutoCloseable {

    /** How long the replicas of a broker that is gone stay. */
    public static final Duration ORPHANED = Orphans.STAY;

    private static final System.Logger LOG = SafeLog.of(Cluster.class);

    private final String id;
    private final String endpoint;
    private final ClusterStore store;
    private final Registry registry;
    private final ClusterThreads threads;
    private final LongSupplier nanos;
    private final Publisher publisher;
    private final LiveBrokers members = new LiveBrokers();
    private final StoredReplicas replicas;
    private final Offers offers;
    private final Orphans orphans;
    private final StoreFollower follower;
    private final SharedFile file;
    private final Owners owners;
    private Runnable whenMembersChange = () -> {};
    private Consumer<String> fileTaker = text -> {};
    private boolean isJoining;
    private volatile boolean synced;
    private volatile boolean closed;

    /**
     * Creates the part of a broker that has not joined.
     *
     * @param self this broker; its fence is not used
     * @param store shared with the other brokers; closed with this
     * @param nanos the clock; never goes back
     */
    public Cluster(
            BrokerMember self, ClusterStore store, Registry registry, ClusterThreads threads, LongSupplier nanos) {
        id = self.id();
        endpoint = self.endpoint();
        this.store = requireNonNull(store, "store");
        this.registry = requireNonNull(registry, "registry");
        this.threads = requireNonNull(threads, "threads");
        this.nanos = requireNonNull(nanos, "nanos");
        BrokerRecord record = new BrokerRecord(endpoint, self.startedMillis());
        publisher = new Publisher(store, id, record, broker -> members.get(broker) != null);
        replicas = new StoredReplicas(id, registry, members);
        offers = new Offers(replicas, publisher, threads, nanos);
        orphans = new Orphans(id, replicas, members);
        follower = new StoreFollower(store, threads, nanos, new Followed());
        long startedNanos = nanos.getAsLong();
        owners = new Owners(
                id,
                store,
                threads,
                members,
                () -> self.startedMillis() + (nanos.getAsLong() - startedNanos) / 1_000_000);
        file = new SharedFile(store, threads, text -> fileTaker.accept(text));
    }

    /** Sets a task that runs on the registry's thread after each change of {@link #members}. */
    public void onMembers(Runnable task) {
        whenMembersChange = requireNonNull(task, "task");
    }

    /** Sets what applies, on the registry's thread, the application file of the cluster when there is another one. */
    public void onFile(Consumer<String> taker) {
        fileTaker = requireNonNull(taker, "taker");
    }

    /**
     * Has all brokers apply a file that this one has applied.
     *
     * @param outcome receives whether they do, in words
     */
    public void share(String text, Consumer<String> outcome) {
        file.share(text, health() == ClusterStore.Health.CONNECTED, outcome);
    }

    /** Sets a task that runs on the registry's thread when another broker may move the waiting calls of a service. */
    public void onOwners(Runnable task) {
        owners.onChange(task);
    }

    /**
     * The token with which this broker moves the waiting calls of a service between replicas at any brokers; -1 while another one
     * does so, or the store does not answer.
     */
    public long movesWith(String service) {
        return knowsAll() ? owners.token(service) : -1;
    }

    /** Whether the store has given out a token for moves of a service, or a greater one, as far as this broker knows. */
    public boolean hasGiven(String service, long token) {
        return owners.hasGiven(service, token);
    }

    /** Joins, and follows the store from now on. On any thread. */
    public void start() {
        threads.registry().execute(() -> {
            registry.onRemoved(this::withdraw);
            follower.follow();
        });
    }

    /** The id of this broker. On any thread. */
    public String id() {
        return id;
    }

    /** The endpoint that this broker tells. On any thread. */
    public String endpoint() {
        return endpoint;
    }

    /** All live brokers that the store knows, by id. On any thread. */
    public List<BrokerMember> members() {
        return List.copyOf(members.all().values());
    }

    /** Whether a broker of the cluster has an identity. On any thread. */
    public boolean hasIdentity(@Nullable String identity) {
        return identity != null
                && members.all().values().stream().anyMatch(member -> identity.equals(identityOf(member.endpoint())));
    }

    private static @Nullable String identityOf(String endpoint) {
        try {
            return Endpoint.parse(endpoint).identity();
        } catch (IllegalArgumentException e) { // written by others
            return null;
        }
    }

    /** Whether all entries of the store have been read. On any thread. */
    public boolean isSynced() {
        return synced;
    }

    /**
     * Whether this broker knows the replicas of all brokers: not while it joins or leaves, nor while the store does not answer.
     * On any thread.
     */
    public boolean knowsAll() {
        return synced && !closed && health() == ClusterStore.Health.CONNECTED;
    }

    /** How this broker is connected to the store. On any thread. */
    public ClusterStore.Health health() {
        ClusterStore.Health health = store.health();
        return health == ClusterStore.Health.CONNECTED && follower.isStale() ? ClusterStore.Health.SUSPENDED : health;
    }

    /** The fencing token of this broker; 0 while it is no member. On any thread. */
    public long fence() {
        return store.fence();
    }

    /** The number of registrations that only this broker knows. On any thread. */
    public int provisional() {
        return offers.provisional();
    }

    /**
     * Writes a registration of a server that is connected here.
     *
     * @param party the connection of the server
     * @param done receives null when the store has it, or does not answer within {@link Offers#MOST_WAIT}; else the refusal
     */
    public void publish(Party party, RegisterReplica said, Consumer<@Nullable RefusedException> done) {
        offers.publish(party, said, health() == ClusterStore.Health.CONNECTED, done);
    }

    /** Takes a registration back that {@link #publish} has written, unless a later one has replaced it. */
    public void withdraw(Party party, RegisterReplica said) {
        offers.withdraw(party, said);
    }

    /** Does what is due. To be called about once a second. */
    public void onInterval() {
        if (closed) {
            return;
        }
        if (store.health() == ClusterStore.Health.CONNECTED && store.fence() == 0 && !isJoining) {
            join();
        }
        follower.follow();
        offers.onInterval();
        file.onInterval();
        if (synced && !follower.isStale()) {
            orphans.due(nanos.getAsLong())
                    .forEach(orphan -> threads.onStore(orphan.key(), "remove", () -> publisher.removeOrphan(orphan)));
        }
        follower.readAgain();
    }

    /** Leaves: this broker is no member any more. Its registrations stay until their servers have another home. */
    @Override
    public void close() {
        closed = true;
        store.close();
    }

    private void join() {
        isJoining = true;
        threads.onStore("join", () -> {
            try {
                long fence = publisher.join();
                LOG.log(System.Logger.Level.INFO, "member {0} of the cluster, epoch {1}", id, Long.toString(fence));
            } finally {
                threads.onRegistry(() -> isJoining = false);
            }
        });
    }

    /** Handles that a broker has come, gone, or begun a new epoch: its replicas are shown as being there or orphaned. */
    private void memberChanged(String broker) {
        replicas.forEach((key, stored) -> {
            if (stored.record().home().equals(broker) && !offers.has(key)) {
                replicas.show(key);
            }
        });
        whenMembersChange.run();
    }

    /** Applies what the store tells. */
    private final class Followed implements StoreFollower.News {

        @Override
        public void onPut(Entry entry) {
            try {
                if (LiveBrokers.isBroker(entry.key())) {
                    orphans.isBack(LiveBrokers.id(entry.key()));
                    if (members.put(entry)) {
                        memberChanged(LiveBrokers.id(entry.key()));
                    }
                } else if (StoredReplicas.isReplica(entry.key())) {
                    StoredReplicas.Stored now = replicas.put(entry);
                    if (now != null) {
                        offers.onPut(entry.key(), now);
                    }
                } else if (entry.key().equals(SharedFile.KEY)) {
                    file.put(entry);
                } else if (Owners.isOwner(entry.key())) {
                    owners.put(entry);
                }
            } catch (RecordException e) {
                Refusals.count("cluster.record");
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} in the store is no record: {1}",
                        Names.shown(entry.key().toString()),
                        e.getMessage());
            }
        }

        @Override
        public void onRemoved(Key key, long version) {
            if (LiveBrokers.isBroker(key)) {
                if (members.remove(key, version)) {
                    memberChanged(LiveBrokers.id(key));
                }
            } else if (StoredReplicas.isReplica(key)
                    && replicas.remove(key, version)
                    && offers.onRemoved(key, version)) {
                replicas.show(key);
            } else if (key.equals(SharedFile.KEY)) {
                file.removed(version);
            } else if (Owners.isOwner(key)) {
                owners.remove(key, version);
            }
        }

        @Override
        public void onAll(List<Entry> all, Set<Key> except) {
            Map<Key, Entry> stored = new LinkedHashMap<>();
            Set<Key> missing = new HashSet<>(replicas.keys());
            missing.addAll(members.keys());
            missing.addAll(owners.keys());
            missing.removeAll(except);
            for (Entry entry : all) {
                missing.remove(entry.key());
                if (Owners.isOwner(entry.key()) && !except.contains(entry.key())) {
                    owners.forgetLater(entry);
                    onPut(entry);
                } else if (LiveBrokers.isBroker(entry.key()) && !except.contains(entry.key())) {
                    onPut(entry);
                } else if (StoredReplicas.isReplica(entry.key())) {
                    stored.put(entry.key(), entry);
                }
            }
            stored.values().stream()
                    .filter(entry -> !except.contains(entry.key()))
                    .forEach(entry -> {
                        replicas.goBackTo(entry);
                        onPut(entry);
                    });
            missing.forEach(key -> onRemoved(key, Long.MAX_VALUE));
            if (!except.contains(SharedFile.KEY)) {
                file.isAll(all.stream()
                        .filter(entry -> entry.key().equals(SharedFile.KEY))
                        .findFirst()
                        .orElse(null));
            }
            offers.onAll(stored, except, store.fence());
            synced = true;
        }

        @Override
        public void onFresh() {
            orphans.hasMissed();
            onInterval();
        }
    }
}
