package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.wire.Names;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the registrations of one broker into the store, each on the condition that no other broker has written meanwhile.
 * Blocks: on threads of the store only. Thread-safe.
 */
final class Publisher {

    /** Begins the keys of the brokers in the store. */
    static final String BROKERS = "brokers";

    private static final int MOST_ATTEMPTS = 16;

    private final ClusterStore store;
    private final String broker;
    private final BrokerRecord self;
    private final Predicate<String> isLive;

    @GuardedBy("this")
    private int writing; // writes of records with a token

    /** The outcome of a write. */
    sealed interface Outcome {}

    /** The store has the record, as of this entry. */
    record Written(Entry entry) implements Outcome {}

    /** The store has one that goes before it. */
    record Refused(String why) implements Outcome {}

    /** The process of the replica is registered at another live broker. */
    record Moved() implements Outcome {}

    /** The store does not answer: the record may be there or not. */
    record Unknown(String why) implements Outcome {}

    /**
     * Creates the publisher of a broker.
     *
     * @param isLive whether a broker of an id is a member
     */
    Publisher(ClusterStore store, String broker, BrokerRecord self, Predicate<String> isLive) {
        this.store = requireNonNull(store, "store");
        this.broker = requireNonNull(broker, "broker");
        this.self = requireNonNull(self, "self");
        this.isLive = requireNonNull(isLive, "isLive");
    }

    /**
     * Makes this broker a member, unless it is one; returns its fencing token. While writes with an earlier token are under way it
     * does not, for they would come after the new one.
     */
    synchronized long join() {
        long fence = store.fence();
        if (fence == 0 && writing > 0) {
            throw new StoreException("writes of the session that has ended are under way", null);
        }
        return fence != 0 ? fence : store.ephemeral(Key.of(BROKERS, broker), self.write());
    }

    private synchronized long beginWrite() {
        long fence = join();
        writing++;
        return fence;
    }

    private synchronized void endWrite() {
        writing--;
    }

    /**
     * Writes a registration.
     *
     * @param isFresh whether the replica has just asked for it; a repeated write takes nothing from another live broker
     */
    Outcome publish(Key key, ReplicaRecord wanted, boolean isFresh) {
        try {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                Optional<Entry> before = store.get(key);
                ReplicaRecord known = before.map(Publisher::record).orElse(null);
                Outcome obstacle = obstacle(wanted, known, isFresh);
                if (obstacle != null) {
                    return obstacle;
                }
                ReplicaRecord written = of(wanted, beginWrite());
                try {
                    return new Written(
                            before.isPresent() && written.equals(known)
                                    ? before.get()
                                    : store.put(key, written.write(), before.orElse(null)));
                } catch (StoreException.Conflict e) {
                    continue; // another broker wrote in between: look again
                } finally {
                    endWrite();
                }
            }
            return new Unknown(key + " is written by others all the time");
        } catch (StoreException e) {
            return new Unknown(String.valueOf(e.getMessage()));
        }
    }

    /** Removes the record of a replica if it is of this broker and of no later process. */
    void withdraw(Key key, long incarnation) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Entry before = store.get(key).orElse(null);
            ReplicaRecord known = before == null ? null : record(before);
            if (known == null || !known.home().equals(broker) || known.incarnation() > incarnation) {
                return;
            }
            try {
                store.put(key, new byte[0], before);
                return;
            } catch (StoreException.Conflict e) {
                continue;
            }
        }
    }

    /** Removes the entry of a replica whose broker is gone, unless it has changed or the broker has come back. */
    void removeOrphan(Entry seen) {
        ReplicaRecord known = record(seen);
        if (known == null || store.get(Key.of(BROKERS, known.home())).isEmpty()) {
            remove(seen);
        }
    }

    /** Removes an entry unless it has changed. */
    void remove(Entry seen) {
        try {
            store.put(seen.key(), new byte[0], seen);
        } catch (StoreException.Conflict e) {
            return; // its server has found a home
        }
    }

    private @Nullable Outcome obstacle(ReplicaRecord wanted, @Nullable ReplicaRecord known, boolean isFresh) {
        if (known == null) {
            return null;
        }
        if (known.incarnation() > wanted.incarnation()) {
            return new Refused("incarnation " + wanted.incarnation() + " (expected: at least " + known.incarnation()
                    + ", registered at broker " + Names.shown(known.home()) + ")");
        }
        if (!Objects.equals(known.identity(), wanted.identity())) {
            return new Refused("registered by another identity, " + Names.shown(String.valueOf(known.identity())));
        }
        boolean isElsewhere = !known.home().equals(broker)
                && known.incarnation() == wanted.incarnation()
                && isLive.test(known.home());
        return isElsewhere && !isFresh ? new Moved() : null;
    }

    private ReplicaRecord of(ReplicaRecord wanted, long epoch) {
        return new ReplicaRecord(
                wanted.incarnation(), broker, epoch, wanted.interfaceName(), wanted.identity(), wanted.endpoints());
    }

    /** Returns the record of an entry; null if it is none, and may be replaced. */
    private static @Nullable ReplicaRecord record(Entry entry) {
        try {
            return ReplicaRecord.read(entry.value());
        } catch (RecordException e) {
            return null;
        }
    }
}
