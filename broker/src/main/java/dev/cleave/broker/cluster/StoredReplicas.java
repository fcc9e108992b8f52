package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.RegisterReplica;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All replicas as the store has them. Shows those in the registry that no server offers at this broker. Registry's thread
 * only.
 */
final class StoredReplicas {

    static final String REPLICAS = "replicas";

    private static final System.Logger LOG = SafeLog.of(StoredReplicas.class);

    private final String broker;
    private final Registry registry;
    private final LiveBrokers members;
    private final Map<Key, Stored> replicas = new HashMap<>();

    /** A replica as the store has it. */
    record Stored(Entry entry, ReplicaRecord record) {}

    /** Creates an empty set, at the broker of an id. */
    StoredReplicas(String broker, Registry registry, LiveBrokers members) {
        this.broker = requireNonNull(broker, "broker");
        this.registry = requireNonNull(registry, "registry");
        this.members = requireNonNull(members, "members");
    }

    /** The key of a replica. */
    static Key key(String service, String replica) {
        return Key.of(REPLICAS, service, replica);
    }

    /** Whether a key is that of a replica. */
    static boolean isReplica(Key key) {
        return key.parts().size() == 3 && key.parts().get(0).equals(REPLICAS);
    }

    /**
     * Takes an entry of the store; returns null if a later one is known.
     *
     * @throws RecordException if it is no record
     */
    @Nullable
    Stored put(Entry entry) throws RecordException {
        ReplicaRecord record = ReplicaRecord.read(entry.value());
        Stored before = replicas.get(entry.key());
        if (before != null && before.entry().version() >= entry.version()) {
            return null;
        }
        Stored stored = new Stored(entry, record);
        replicas.put(entry.key(), stored);
        return stored;
    }

    /** Forgets what is known of a replica if the store has gone back to an earlier entry. */
    void goBackTo(Entry entry) {
        Stored stored = replicas.get(entry.key());
        if (stored != null && stored.entry().version() > entry.version()) {
            replicas.remove(entry.key());
        }
    }

    /** Removes a replica that was removed from the store as of a version; false if a later entry is known. */
    boolean remove(Key key, long version) {
        Stored stored = replicas.get(key);
        if (stored != null && stored.entry().version() > version) {
            return false;
        }
        replicas.remove(key);
        return true;
    }

    @Nullable
    Stored get(Key key) {
        return replicas.get(key);
    }

    Set<Key> keys() {
        return Set.copyOf(replicas.keySet());
    }

    void forEach(BiConsumer<Key, Stored> action) {
        replicas.forEach(action);
    }

    /** Whether a replica is at home at this broker, as the store has it. */
    boolean isOurs(Stored stored) {
        return stored.record().home().equals(broker);
    }

    /** Shows a replica in the registry, which no server offers here; or removes it there if the store has none. */
    void show(Key key) {
        String service = key.parts().get(1);
        String replica = key.parts().get(2);
        Stored stored = replicas.get(key);
        if (stored == null || isOurs(stored)) { // an earlier registration here; its withdrawal is under way
            registry.leftElsewhere(service, replica);
            return;
        }
        ReplicaRecord record = stored.record();
        BrokerMember home = members.get(record.home());
        RegisterReplica said = new RegisterReplica(
                0, service, replica, record.incarnation(), record.endpoints(), record.interfaceName(), List.of(), 0);
        try {
            registry.elsewhere(new HomeBroker(home == null ? "" : home.endpoint()), said, record.identity());
        } catch (RefusedException e) {
            Refusals.count("cluster.record");
            LOG.log(System.Logger.Level.WARNING, "{0} in the store: {1}", key, e.getMessage());
        }
    }
}
