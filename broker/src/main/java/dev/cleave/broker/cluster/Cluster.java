package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.replica.Rendezvous;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Names;
import dev.cleave.wire.RegisterReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
 * server is its own: the later write wins, and the first broker yields when it learns of it. A record whose home is gone
 * stays, is still served, and is removed after {@link #ORPHANED} by the one broker that {@link Rendezvous} chooses.
 *
 * <h2>Without the store</h2>
 *
 * While the store does not answer, all that is known stays. Registrations are accepted <em>provisionally</em>: this
 * broker's nodes alone see them, until they can be written.
 *
 * <p>All methods belong to the registry's thread, except where they say otherwise. Verbs of the store run on a thread of
 * their own.
 */
public final class Cluster implements AutoCloseable {

    /** How long the replicas of a broker that is gone stay. */
    public static final Duration ORPHANED = Duration.ofSeconds(30);

    /** How often all entries are read again, in case that a change was missed. */
    public static final Duration READ_AGAIN = Duration.ofSeconds(60);

    /** How long a server waits for the store at most when it registers; then it is registered provisionally. */
    static final Duration MOST_WAIT = Duration.ofSeconds(2);

    static final String REPLICAS = "replicas";

    private static final Key ROOT = new Key(List.of());
    private static final System.Logger LOG = SafeLog.of(Cluster.class);

    private final String id;
    private final BrokerRecord self;
    private final ClusterStore store;
    private final Registry registry;
    private final Executor registryThread;
    private final Executor storeThread;
    private final LongSupplier nanos;
    private final Publisher publisher;
    private final Map<Key, Offer> offers = new LinkedHashMap<>();
    private final Map<Key, Known> replicas = new HashMap<>();
    private final Map<String, Long> goneSince = new HashMap<>();
    private final Set<Key> changed = new HashSet<>(); // since the last reading of all entries has begun
    private volatile Map<String, BrokerMember> members = Map.of();
    private Runnable whenMembersChange = () -> {};
    private long readAt;
    private boolean isReading;
    private boolean isJoining;
    private boolean isFollowing; // or is about to
    private volatile boolean synced;
    private volatile boolean stale = true;
    private volatile boolean closed;
    private volatile int provisional;

    /** A registration of a server that is connected here. */
    private static final class Offer {

        private final Party party;
        private final RegisterReplica said;
        private @Nullable Offer replaced; // by this one, if the store accepts it
        private boolean isPending = true; // a write is under way
        private boolean isProvisional;
        private long version; // of the entry in the store
        private final long askedAt;
        private @Nullable Consumer<@Nullable RefusedException> asker; // who has no answer yet

        private Offer(Party party, RegisterReplica said, @Nullable Offer replaced, long askedAt) {
            this.party = party;
            this.said = said;
            this.replaced = replaced;
            this.askedAt = askedAt;
        }

        private void answer(@Nullable RefusedException refusal) {
            Consumer<@Nullable RefusedException> waiting = asker;
            asker = null;
            if (waiting != null) {
                waiting.accept(refusal);
            }
        }

        private ReplicaRecord record() {
            return new ReplicaRecord(
                    said.incarnation(), "", 0, said.interfaceName(), party.identity(), said.endpoints());
        }
    }

    /** A replica as the store has it. */
    private record Known(Entry entry, ReplicaRecord record) {}

    /**
     * The threads of a broker.
     *
     * @param registry that of the registry
     * @param store one that may block, and runs its tasks in order
     */
    public record Threads(Executor registry, Executor store) {}

    /**
     * Creates the part of a broker that has not joined.
     *
     * @param self this broker; its fence is not used
     * @param store shared with the other brokers; closed with this
     * @param nanos the clock; never goes back
     */
    public Cluster(BrokerMember self, ClusterStore store, Registry registry, Threads threads, LongSupplier nanos) {
        id = self.id();
        this.self = new BrokerRecord(self.endpoint(), self.startedMillis());
        this.store = requireNonNull(store, "store");
        this.registry = requireNonNull(registry, "registry");
        registryThread = requireNonNull(threads.registry(), "registry");
        storeThread = requireNonNull(threads.store(), "store");
        this.nanos = requireNonNull(nanos, "nanos");
        publisher = new Publisher(store, id, this.self, broker -> members.containsKey(broker));
        readAt = nanos.getAsLong();
    }

    /** Sets a task that runs on the registry's thread after each change of {@link #members}. */
    public void onMembers(Runnable task) {
        whenMembersChange = requireNonNull(task, "task");
    }

    /** Joins, and follows the store from now on. On any thread. */
    public void start() {
        registryThread.execute(() -> {
            registry.onRemoved(this::withdraw);
            follow();
        });
    }

    /** Begins to follow the store; tried again if it does not answer. */
    private void follow() {
        isFollowing = true;
        onStore("watch", () -> {
            boolean isDone = false;
            try {
                AutoCloseable unused = store.watch(ROOT, new Followed());
                isDone = true;
            } finally {
                boolean follows = isDone;
                onRegistry(() -> isFollowing = follows);
            }
        });
    }

    /** The id of this broker. On any thread. */
    public String id() {
        return id;
    }

    /** The endpoint that this broker tells. On any thread. */
    public String endpoint() {
        return self.endpoint();
    }

    /** All live brokers that the store knows, by id. On any thread. */
    public List<BrokerMember> members() {
        return List.copyOf(members.values());
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
        return health == ClusterStore.Health.CONNECTED && stale ? ClusterStore.Health.SUSPENDED : health;
    }

    /** The fencing token of this broker; 0 while it is no member. On any thread. */
    public long fence() {
        return store.fence();
    }

    /** The number of registrations that only this broker knows. On any thread. */
    public int provisional() {
        return provisional;
    }

    /**
     * Writes a registration of a server that is connected here.
     *
     * @param party the connection of the server
     * @param done receives null when the store has it, or does not answer within {@link #MOST_WAIT}; else the refusal
     */
    public void publish(Party party, RegisterReplica said, Consumer<@Nullable RefusedException> done) {
        Key key = key(said.service(), said.replica());
        Offer offer = new Offer(party, said, offers.get(key), nanos.getAsLong());
        offer.asker = done;
        offers.put(key, offer);
        if (health() == ClusterStore.Health.CONNECTED) {
            write(key, offer, true);
        } else {
            written(key, offer, new Publisher.Unknown("the store does not answer"));
        }
    }

    /** Takes a registration back that {@link #publish} has written, unless a later one has replaced it. */
    public void withdraw(Party party, RegisterReplica said) {
        Key key = key(said.service(), said.replica());
        Offer offer = offers.get(key);
        if (offer != null && offer.replaced != null && offer.replaced.party == party) {
            offer.replaced = null;
        }
        if (offer == null || offer.party != party) {
            return;
        }
        offers.remove(key);
        count();
        onStore("withdraw " + key, () -> publisher.withdraw(key, offer.said.incarnation()));
        Known known = replicas.get(key); // of another broker meanwhile: shown again
        if (known != null && !known.record().home().equals(id)) {
            show(key, known.record());
        }
    }

    /** Does what is due. To be called about once a second. */
    public void onInterval() {
        if (closed) {
            return;
        }
        if (store.health() == ClusterStore.Health.CONNECTED && store.fence() == 0 && !isJoining) {
            join();
        }
        if (!isFollowing) {
            follow();
        }
        new ArrayList<>(offers.keySet()).forEach(key -> {
            Offer offer = offers.get(key);
            if (offer != null && offer.isProvisional && !offer.isPending) {
                write(key, offer);
            } else if (offer != null
                    && offer.asker != null
                    && nanos.getAsLong() - offer.askedAt >= MOST_WAIT.toNanos()) {
                isProvisionalNow(key, offer, "the store has not answered yet");
                offer.answer(null);
            }
        });
        if (synced && !stale) {
            removeOrphans();
        }
        if (nanos.getAsLong() - readAt >= READ_AGAIN.toNanos()) {
            readAll();
        }
    }

    /** Leaves: this broker is no member any more. Its registrations stay until their servers have another home. */
    @Override
    public void close() {
        closed = true;
        store.close();
    }

    private void join() {
        isJoining = true;
        onStore("join", () -> {
            try {
                long fence = publisher.join();
                LOG.log(System.Logger.Level.INFO, "member {0} of the cluster, epoch {1}", id, fence);
            } finally {
                onRegistry(() -> isJoining = false);
            }
        });
    }

    /** Writes an offer again; one that the store has never had is as new as when its server asked for it. */
    private void write(Key key, Offer offer) {
        write(key, offer, offer.version == 0);
    }

    private void write(Key key, Offer offer, boolean isFresh) {
        offer.isPending = true;
        boolean isTaken = onStore("publish " + key, () -> {
            Publisher.Outcome outcome = publisher.publish(key, offer.record(), isFresh);
            onRegistry(() -> written(key, offer, outcome));
        });
        if (!isTaken) {
            written(key, offer, new Publisher.Unknown("this broker is closed"));
        }
    }

    private void isProvisionalNow(Key key, Offer offer, String why) {
        if (!offer.isProvisional) {
            LOG.log(System.Logger.Level.WARNING, "{0} is registered at this broker alone: {1}", key, why);
        }
        offer.isProvisional = true;
        count();
    }

    private void written(Key key, Offer offer, Publisher.Outcome outcome) {
        offer.isPending = false;
        boolean isCurrent = offers.get(key) == offer;
        RefusedException refusal = null;
        if (outcome instanceof Publisher.Written written) {
            offer.isProvisional = false;
            offer.version = written.entry().version();
        } else if (outcome instanceof Publisher.Unknown unknown) {
            isProvisionalNow(key, offer, unknown.why());
        } else if (isCurrent) {
            String why = outcome instanceof Publisher.Refused refused ? refused.why() : "registered at another broker";
            refusal = new RefusedException(
                    ErrorCode.ALREADY_BOUND,
                    "replica " + key.parts().get(2) + " of " + key.parts().get(1) + ": " + why);
            if (offer.replaced != null) {
                offers.put(key, offer.replaced);
            } else {
                offers.remove(key);
            }
        }
        offer.replaced = null;
        count();
        offer.answer(refusal);
        if (isCurrent && refusal == null) {
            look(key, offer);
        } else if (refusal != null) {
            Known known = replicas.get(key);
            if (known != null && !offers.containsKey(key)) {
                show(key, known.record());
            }
        }
    }

    /** Compares a written offer with what the store has told meanwhile. */
    private void look(Key key, Offer offer) {
        Known known = replicas.get(key);
        if (known != null && known.entry().version() > offer.version && !offer.isProvisional) {
            compare(key, offer, known);
        }
    }

    private void compare(Key key, Offer offer, Known known) {
        if (known.record().home().equals(id)) {
            if (known.record().incarnation() != offer.said.incarnation()) { // of an old snapshot
                write(key, offer);
            }
        } else if (known.record().incarnation() >= offer.said.incarnation()) {
            offers.remove(key); // it has moved to another broker, or a later process has its name
            count();
            show(key, known.record());
        } else {
            write(key, offer);
        }
    }

    private void onPut(Entry entry) {
        changed.add(entry.key());
        try {
            if (isBroker(entry.key())) {
                BrokerRecord record = BrokerRecord.read(entry.value());
                String broker = entry.key().parts().get(1);
                goneSince.remove(broker);
                Map<String, BrokerMember> next = new TreeMap<>(members);
                next.put(broker, new BrokerMember(broker, record.endpoint(), entry.version(), record.startedMillis()));
                changeMembers(next);
            } else if (isReplica(entry.key())) {
                put(entry, ReplicaRecord.read(entry.value()));
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

    private void put(Entry entry, ReplicaRecord record) {
        Key key = entry.key();
        Known before = replicas.get(key);
        if (before != null && before.entry().version() >= entry.version()) {
            return;
        }
        Known known = new Known(entry, record);
        replicas.put(key, known);
        Offer own = offers.get(key);
        if (own == null) {
            show(key, record);
        } else if (!own.isPending && own.isProvisional) {
            write(key, own);
        } else if (!own.isPending && own.version < entry.version()) {
            compare(key, own, known);
        }
    }

    private void show(Key key, ReplicaRecord record) {
        if (record.home().equals(id)) {
            registry.leftElsewhere(key.parts().get(1), key.parts().get(2));
            return; // an earlier registration here; its withdrawal is under way
        }
        BrokerMember home = members.get(record.home());
        Known known = replicas.get(key);
        RegisterReplica said = new RegisterReplica(
                0,
                key.parts().get(1),
                key.parts().get(2),
                record.incarnation(),
                record.endpoints(),
                record.interfaceName(),
                List.of(),
                0);
        if (known == null) {
            registry.leftElsewhere(said.service(), said.replica());
            return;
        }
        try {
            registry.elsewhere(new HomeBroker(home == null ? "" : home.endpoint()), said, record.identity());
        } catch (RefusedException e) {
            Refusals.count("cluster.record");
            LOG.log(System.Logger.Level.WARNING, "{0} in the store: {1}", key, e.getMessage());
        }
    }

    private void onRemoved(Key key, long version) {
        changed.add(key);
        if (isBroker(key)) {
            Map<String, BrokerMember> next = new TreeMap<>(members);
            BrokerMember gone = next.get(key.parts().get(1));
            if (gone != null && gone.fence() <= version) {
                next.remove(gone.id());
                changeMembers(next);
            }
            return;
        }
        Known known = replicas.get(key);
        if (known != null && known.entry().version() > version) {
            return;
        }
        replicas.remove(key);
        Offer own = offers.get(key);
        if (own == null) {
            if (isReplica(key)) {
                registry.leftElsewhere(key.parts().get(1), key.parts().get(2));
            }
        } else if (!own.isPending && own.version < version) {
            write(key, own); // no other broker may remove it
        }
    }

    private void changeMembers(Map<String, BrokerMember> next) {
        Map<String, BrokerMember> before = members;
        if (next.equals(before)) {
            return;
        }
        members = Map.copyOf(next);
        Set<String> moved = new HashSet<>();
        next.forEach((broker, member) -> {
            if (!member.equals(before.get(broker))) {
                moved.add(broker);
            }
        });
        before.keySet().stream().filter(broker -> !next.containsKey(broker)).forEach(moved::add);
        replicas.forEach((key, known) -> {
            if (moved.contains(known.record().home()) && !offers.containsKey(key)) {
                show(key, known.record());
            }
        });
        whenMembersChange.run();
    }

    /** Takes all entries of the store. */
    private void onSync(List<Entry> all, Set<Key> except) {
        Map<Key, Entry> now = new LinkedHashMap<>();
        all.forEach(entry -> now.put(entry.key(), entry));
        List<Key> missing = new ArrayList<>(replicas.keySet());
        members.keySet().forEach(broker -> missing.add(Key.of(Publisher.BROKERS, broker)));
        missing.removeIf(key -> now.containsKey(key) || except.contains(key));
        now.values().stream()
                .filter(entry -> isBroker(entry.key()) && !except.contains(entry.key()))
                .forEach(this::onPut);
        now.values().stream()
                .filter(entry -> isReplica(entry.key()) && !except.contains(entry.key()))
                .forEach(this::onSynced);
        missing.forEach(key -> onRemoved(key, Long.MAX_VALUE));
        new ArrayList<>(offers.keySet()).forEach(key -> {
            Offer offer = offers.get(key);
            if (offer != null && !offer.isPending && !now.containsKey(key) && !except.contains(key)) {
                write(key, offer);
            }
        });
        synced = true;
    }

    /** Takes an entry though its version may be smaller than before: the store may have gone back to an old snapshot. */
    private void onSynced(Entry entry) {
        Known known = replicas.get(entry.key());
        if (known != null && known.entry().version() > entry.version()) {
            replicas.remove(entry.key());
        }
        onPut(entry);
        Offer own = offers.get(entry.key());
        Known now = replicas.get(entry.key());
        if (now == null) {
            return;
        }
        boolean isOurs = now.record().home().equals(id);
        if (own == null && isOurs) {
            onStore("remove " + entry.key(), () -> publisher.remove(entry)); // its server has left meanwhile
        } else if (own != null
                && !own.isPending
                && (!isOurs
                        || now.record().epoch() != store.fence()
                        || now.record().incarnation() != own.said.incarnation())) {
            write(entry.key(), own);
        }
    }

    private void readAll() {
        if (isReading) {
            return;
        }
        isReading = true;
        changed.clear();
        boolean isTaken = onStore("read all entries", () -> {
            List<Entry> all = null;
            try {
                all = store.list(ROOT);
            } finally {
                List<Entry> read = all;
                onRegistry(() -> {
                    isReading = false;
                    readAt = nanos.getAsLong();
                    if (read != null) {
                        onSync(read, Set.copyOf(changed));
                    }
                });
            }
        });
        isReading = isReading && isTaken;
    }

    /** Removes replicas whose broker has been gone for long, if this broker is the one to do that. */
    private void removeOrphans() {
        long now = nanos.getAsLong();
        Map<String, BrokerMember> live = members;
        if (live.isEmpty()) {
            return;
        }
        Set<String> gone = new HashSet<>();
        List<Entry> orphans = new ArrayList<>();
        replicas.forEach((key, known) -> {
            String home = known.record().home();
            if (live.containsKey(home)) {
                return;
            }
            gone.add(home);
            long since = goneSince.computeIfAbsent(home, broker -> now);
            if (now - since >= ORPHANED.toNanos() && isJanitor(key, live)) {
                orphans.add(known.entry());
            }
        });
        goneSince.keySet().retainAll(gone);
        orphans.forEach(orphan -> onStore("remove " + orphan.key(), () -> publisher.remove(orphan)));
    }

    private boolean isJanitor(Key key, Map<String, BrokerMember> live) {
        return Rendezvous.rank(key.toString(), live.keySet(), broker -> broker)
                .get(0)
                .equals(id);
    }

    private void count() {
        provisional =
                (int) offers.values().stream().filter(o -> o.isProvisional).count();
    }

    private boolean onStore(String what, Runnable verb) {
        try {
            storeThread.execute(() -> {
                try {
                    verb.run();
                } catch (StoreException e) {
                    LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", what, e.getMessage());
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.WARNING, what, e);
                }
            });
            return true;
        } catch (RejectedExecutionException e) {
            return false; // the broker is closed
        }
    }

    private void onRegistry(Runnable task) {
        try {
            registryThread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "after the end of the broker", e);
        }
    }

    private static Key key(String service, String replica) {
        return Key.of(REPLICAS, service, replica);
    }

    private static boolean isBroker(Key key) {
        return key.parts().size() == 2 && key.parts().get(0).equals(Publisher.BROKERS);
    }

    private static boolean isReplica(Key key) {
        return key.parts().size() == 3 && key.parts().get(0).equals(REPLICAS);
    }

    /** Brings the news of the store to the registry's thread. */
    private final class Followed implements ClusterStore.Listener {

        @Override
        public void onSync(List<Entry> all) {
            onRegistry(() -> {
                stale = false;
                readAt = nanos.getAsLong();
                Cluster.this.onSync(all, Set.of());
                onInterval();
            });
        }

        @Override
        public void onPut(Entry entry) {
            onRegistry(() -> Cluster.this.onPut(entry));
        }

        @Override
        public void onRemoved(Key key, long version) {
            onRegistry(() -> Cluster.this.onRemoved(key, version));
        }

        @Override
        public void onStale() {
            stale = true;
            LOG.log(System.Logger.Level.WARNING, "the store of the cluster does not answer: calls go on");
        }

        @Override
        public void onLost() {
            stale = true;
            LOG.log(System.Logger.Level.WARNING, "the session with the store has ended: this broker is no member");
        }
    }
}
