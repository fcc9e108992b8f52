package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.migration.Grants;
import dev.cleave.replica.Rendezvous;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows which broker moves the waiting calls of which service: {@link Rendezvous} chooses one of those that live, and that
 * one does so
 * when the store has its entry. The entry has a token, which grows with every owner. A broker that was owner and does not know
 * yet that another one is has an older token, which replicas refuse.
 *
 * <p>Tokens are not less than the time in ms since 1970, so that they grow also when the store has lost its entries. An entry whose
 * token is too far ahead of that time is none, and is replaced. Registry's thread only.
 */
final class Owners {

    static final String OWNERS = "owners";

    private static final System.Logger LOG = SafeLog.of(Owners.class);

    private final String broker;
    private final ClusterStore store;
    private final ClusterThreads threads;
    private final LiveBrokers members;
    private final LongSupplier millis;
    private final Map<Key, Owned> owned = new HashMap<>();
    private final Map<Key, Long> newest = new HashMap<>(); // the greatest token of each
    private final Set<Key> pending = new HashSet<>();
    private Runnable whenChanged = () -> {};

    /** An entry of the store. */
    private record Owned(Entry entry, OwnerRecord record) {}

    /**
     * Creates the owners that a broker knows before it has read the store.
     *
     * @param broker its id
     * @param millis the time in ms since 1970; never goes back
     */
    Owners(String broker, ClusterStore store, ClusterThreads threads, LiveBrokers members, LongSupplier millis) {
        this.broker = requireNonNull(broker, "broker");
        this.store = requireNonNull(store, "store");
        this.threads = requireNonNull(threads, "threads");
        this.members = requireNonNull(members, "members");
        this.millis = requireNonNull(millis, "millis");
    }

    /** Whether a key is that of the owner of a service. */
    static boolean isOwner(Key key) {
        return key.parts().size() == 2 && key.parts().get(0).equals(OWNERS);
    }

    /** Sets a task that runs after each change of an owner. */
    void onChange(Runnable task) {
        whenChanged = requireNonNull(task, "task");
    }

    /** The token with which this broker moves calls of a service; -1 if another one does, or none does yet. */
    long token(String service) {
        if (!broker.equals(chosen(service))) {
            return -1;
        }
        Key key = Key.of(OWNERS, service);
        Owned now = owned.get(key);
        if (now != null && isOurs(now.record) && now.record.token() >= newest.getOrDefault(key, 0L)) {
            return now.record.token();
        }
        if (pending.add(key)) {
            long least = Math.max(millis.getAsLong(), newest.getOrDefault(key, 0L) + 1);
            boolean isTaken = threads.onStore("own " + key, () -> {
                try {
                    write(key, least);
                } finally {
                    threads.onRegistry(() -> pending.remove(key));
                }
            });
            if (!isTaken) {
                pending.remove(key);
            }
        }
        return -1;
    }

    /**
     * Takes an entry of the store.
     *
     * @throws RecordException if it is no record
     */
    void put(Entry entry) throws RecordException {
        OwnerRecord record = read(entry.value());
        Owned before = owned.get(entry.key());
        if (before == null || before.entry.version() < entry.version()) {
            take(entry, record);
        }
    }

    /** Forgets what is known of a service, but not its token, if the store has gone back to an earlier entry. */
    void forgetLater(Entry now) {
        Owned before = owned.get(now.key());
        if (before != null && before.entry.version() > now.version()) {
            owned.remove(now.key());
        }
    }

    /** Handles that the store has no entry of a key, as of a version. */
    void remove(Key key, long version) {
        Owned before = owned.get(key);
        if (before != null && before.entry.version() <= version) {
            owned.remove(key);
            whenChanged.run();
        }
    }

    /** The keys of all entries. */
    Set<Key> keys() {
        return Set.copyOf(owned.keySet());
    }

    private void take(Entry entry, OwnerRecord record) {
        owned.put(entry.key(), new Owned(entry, record));
        newest.merge(entry.key(), record.token(), Math::max);
        whenChanged.run();
    }

    private boolean isOurs(OwnerRecord record) {
        return record.broker().equals(broker) && record.epoch() == store.fence();
    }

    private @Nullable String chosen(String service) {
        Set<String> live = members.all().keySet();
        return live.isEmpty()
                ? null
                : Rendezvous.rank(service, live, each -> each).get(0);
    }

    private void write(Key key, long least) {
        long epoch = store.fence();
        Entry before = store.get(key).orElse(null);
        OwnerRecord there = before == null ? null : read(before);
        long token = there == null ? least : Math.max(least, there.token() + 1);
        if (epoch == 0 || there != null && isOurs(there) && there.token() >= least) {
            return;
        }
        try {
            Entry unused = store.put(key, new OwnerRecord(broker, epoch, token).write(), before);
            LOG.log(
                    System.Logger.Level.INFO,
                    "this broker moves the waiting calls of {0}, token {1}",
                    key.parts().get(1),
                    Long.toString(token));
        } catch (StoreException.Conflict e) {
            return; // another broker wrote in between: tried again if this one is still chosen
        }
    }

    /** Whether the store has given out a token, or a greater one, as far as this broker knows. */
    boolean hasGiven(String service, long token) {
        return token <= newest.getOrDefault(Key.of(OWNERS, service), 0L);
    }

    private OwnerRecord read(byte[] value) throws RecordException {
        OwnerRecord record = OwnerRecord.read(value);
        if (!Grants.Fences.isPossible(record.token(), millis.getAsLong())) {
            throw new RecordException("token: " + record.token() + " (expected: at most "
                    + Grants.Fences.MOST_AHEAD.toMinutes() + " minutes ahead of the clock)");
        }
        return record;
    }

    private @Nullable OwnerRecord read(Entry entry) {
        try {
            return read(entry.value());
        } catch (RecordException e) {
            return null; // may be replaced
        }
    }

    /**
     * The record of the broker that moves the waiting calls of a service; its key has the service.
     *
     * <pre>
     *   u8 format | string broker | u64 epoch | u64 token
     * </pre>
     *
     * @param broker its id
     * @param epoch its epoch when it wrote this
     * @param token greater than those of all brokers that moved calls of the service before
     */
    record OwnerRecord(String broker, long epoch, long token) {

        OwnerRecord {
            requireNonNull(broker, "broker");
        }

        static OwnerRecord read(byte[] value) throws RecordException {
            RecordBytes in = RecordBytes.read(value);
            OwnerRecord read = new OwnerRecord(in.string(), in.bits64(), in.bits64());
            in.end();
            if (read.token <= 0) {
                throw new RecordException("token: " + read.token + " (expected: positive)");
            }
            return read;
        }

        byte[] write() {
            return RecordBytes.write(out -> {
                RecordBytes.string(out, broker);
                out.writeLong(epoch);
                out.writeLong(token);
            });
        }
    }
}
