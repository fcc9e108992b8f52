package dev.cleave.broker.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries that the brokers of a cluster share: who is a broker, and which replica is registered where. Small, and
 * rarely written. Calls, loads and suspicions never go through it.
 *
 * <p>All writes have one order. Each verb blocks for at most some seconds, and throws a {@link StoreException} if the
 * store does not answer; a write may have taken effect then. Thread-safe. What is read was written by others: the reader
 * reads a value checks it.
 */
public interface ClusterStore extends AutoCloseable {

    /** The most bytes of a value. */
    int MOST_BYTES = 64 << 10;

    /** How this side is connected to the store. */
    enum Health {
        /** The store answers. */
        CONNECTED,
        /** It does not answer; entries of this session still stand. */
        SUSPENDED,
        /** The session has ended, and its {@link #ephemeral} entry with it. */
        LOST
    }

    /** Returns the entry of a key. */
    Optional<Entry> get(Key key);

    /** Returns all entries below a prefix, in the order of their keys. */
    List<Entry> list(Key prefix);

    /**
     * Writes an entry if it is as the writer expects.
     *
     * @param value without bytes to remove the entry
     * @param expected the entry to replace; null if there must be none
     * @return the version of the write
     * @throws StoreException.Conflict if it is not as expected
     */
    Entry put(Key key, byte[] value, @Nullable Entry expected);

    /**
     * Writes an entry that lives as long as the session of this side, and replaces the one that an earlier session of
     * this side may have left.
     *
     * @return the fencing token of the entry: greater than all that any session got before
     */
    long ephemeral(Key key, byte[] value);

    /**
     * Tells a listener of the entries below a prefix, from now on: first all ({@link Listener#onSync}), then each
     * change; after each interruption all of them again.
     *
     * @return ends the watch
     */
    AutoCloseable watch(Key prefix, Listener listener);

    /** Returns the fencing token of the {@link #ephemeral} entry of this session; 0 if there is none (any more). */
    long fence();

    /** Returns how this side is connected. */
    Health health();

    /** Ends the session and all watches; the {@link #ephemeral} entry goes at once. */
    @Override
    void close();

    /**
     * Hears of changes, on a thread of the store, one after the other; of each entry in the order of its writes. Of several
     * quick ones it may hear of the last alone, or of one twice.
     */
    interface Listener {

        /** Handles that these are all entries: others that were told before are gone. */
        void onSync(List<Entry> all);

        /** Handles that an entry was written. */
        void onPut(Entry entry);

        /** Handles that there is no such entry any more, as of a version. */
        void onRemoved(Key key, long version);

        /** Handles that changes may be missed from now on, until the next {@link #onSync}. */
        void onStale();

        /** Handles that the session has ended. */
        void onLost();
    }
}
