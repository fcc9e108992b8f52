package dev.cleave.lab.cluster;

import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.cluster.RecordException;
import dev.cleave.broker.cluster.ReplicaRecord;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All reads and writes of the entries of replicas, as the brokers saw them, in their order: checks that the entry of each
 * replica is one linearizable register. The verbs of a simulated store take effect one after the other, each between its
 * call and its return, so the order of their returns is the one in which a linearizable store has done them.
 *
 * <h2>What is checked</h2>
 *
 * <ul>
 *   <li>A broker removes entries of its own alone, or those of an epoch of another one that ended long ago.
 *   <li>A read returns the last entry that a write has been acknowledged for; nothing after a removal.
 *   <li>A write is acknowledged only if the entry was the expected one (at most once: of two writers one learns that the
 *       other was quicker), and has a greater version than all before.
 *   <li>The incarnation of an entry never falls.
 *   <li>Fencing: no write carries an epoch of its broker that is older than the one which the store has of it.
 * </ul>
 */
final class RegistryHistory {

    private static final long ORPHANED_NANOS = Cluster.ORPHANED.minusSeconds(1).toNanos();

    private final LongSupplier nanos;
    private final Consumer<String> breaks;
    private final Map<String, Long> left = new HashMap<>(); // when each broker that is gone has gone
    private final Map<String, Long> epochs = new HashMap<>(); // the last of each broker
    private final Map<Long, Long> ended = new HashMap<>(); // when the session of each epoch has ended
    private final Map<Key, Entry> last = new HashMap<>();
    private final Map<String, Map<Key, Long>> seen =
            new HashMap<>(); // the last version that each broker has read or written
    private long operations;

    /**
     * Creates an empty one.
     *
     * @param nanos the clock
     * @param breaks told of each promise that was broken
     */
    RegistryHistory(LongSupplier nanos, Consumer<String> breaks) {
        this.nanos = nanos;
        this.breaks = breaks;
    }

    /** How many reads and writes there were. */
    long operations() {
        return operations;
    }

    /** The store has gone back to earlier entries. */
    void restored(List<Entry> entries) {
        last.clear();
        seen.clear();
        entries.forEach(entry -> last.put(entry.key(), entry));
    }

    /** A broker has joined: the store has given it an epoch. */
    void joined(Key broker, long epoch) {
        epochs.merge(broker.parts().get(1), epoch, Math::max);
        left.remove(broker.parts().get(1));
    }

    /** The session of a broker has ended. */
    void left(String broker) {
        left.putIfAbsent(broker, nanos.getAsLong());
        Long epoch = epochs.get(broker);
        if (epoch != null) {
            ended.putIfAbsent(epoch, nanos.getAsLong());
        }
    }

    /** A read has returned. */
    void read(Key key, @Nullable Entry entry) {
        if (isReplica(key)) {
            operations++;
            Entry known = last.get(key);
            if (version(known) != version(entry)) {
                breaks.accept("a read of " + key + " returned version " + version(entry) + ", and the last write was "
                        + version(known));
            }
        }
    }

    /** A read of a broker from a follower has returned: it may be old, and not older than what this broker has read or written before. */
    void readBehind(String by, Key key, @Nullable Entry entry) {
        if (isReplica(key) && entry != null) {
            operations++;
            long newest = saw(by, key, entry);
            if (newest > entry.version()) {
                breaks.accept("a read of " + key + " by " + by + " returned version " + entry.version()
                        + ", and it has seen version " + newest);
            }
        }
    }

    /** Notes what a broker has read or written; returns the newest version that it has seen. */
    private long saw(String by, Key key, Entry entry) {
        return seen.computeIfAbsent(by, b -> new HashMap<>()).merge(key, entry.version(), Math::max);
    }

    /** A write of a broker has been acknowledged. */
    void written(String by, Key key, @Nullable Entry expected, Entry entry) {
        if (!isReplica(key)) {
            return;
        }
        long unused = saw(by, key, entry);
        unanswered(by, key, expected, entry);
    }

    /** A write of a broker has taken effect, and its answer may have been lost. */
    void unanswered(String by, Key key, @Nullable Entry expected, Entry entry) {
        if (!isReplica(key)) {
            return;
        }
        operations++;
        Entry known = last.get(key);
        if (version(known) != version(expected)) {
            breaks.accept("a write of " + key + " was accepted that expected version " + version(expected)
                    + ", and there was " + version(known));
        } else if (entry.version() <= version(known)) {
            breaks.accept("a write of " + key + " has version " + entry.version() + " after " + version(known));
        }
        if (entry.value().length == 0) {
            removed(by, key, known);
            return;
        }
        ReplicaRecord now = record(entry);
        if (known != null && now.incarnation() < record(known).incarnation()) {
            breaks.accept("incarnation " + now.incarnation() + " of " + key + " was written over "
                    + record(known).incarnation());
        }
        long epoch = epochs.getOrDefault(now.home(), 0L);
        if (now.epoch() < epoch) {
            breaks.accept(
                    now.home() + " wrote " + key + " with its old epoch " + now.epoch() + ", and it has " + epoch);
        }
        last.put(key, entry);
    }

    private void removed(String by, Key key, @Nullable Entry known) {
        last.remove(key);
        String home = known == null ? by : record(known).home();
        // A broker that has come back in this moment, and has not written the entry anew, was gone until now.
        Long wasGone = known == null ? null : ended.get(record(known).epoch());
        long since = left.getOrDefault(home, wasGone == null ? nanos.getAsLong() : wasGone);
        if (!home.equals(by) && nanos.getAsLong() - since < ORPHANED_NANOS) {
            breaks.accept(by + " removed " + key + " of " + home + ", which was gone for "
                    + (nanos.getAsLong() - since) / 1_000_000 + " ms");
        }
    }

    private static ReplicaRecord record(Entry entry) {
        try {
            return ReplicaRecord.read(entry.value());
        } catch (RecordException e) {
            throw new IllegalStateException(entry.key() + " is no record", e);
        }
    }

    private static long version(@Nullable Entry entry) {
        return entry == null ? 0 : entry.version();
    }

    private static boolean isReplica(Key key) {
        return key.parts().get(0).equals("replicas");
    }
}
