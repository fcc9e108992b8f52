package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.concurrent.SafeLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Brings what changes in the store to the registry's thread: from one watch, and from a full reading each {@link
 * #READ_AGAIN}, in case that a change was missed. Registry's thread only, except where methods say otherwise.
 */
final class StoreFollower {

    /** How often all entries are read again. */
    static final Duration READ_AGAIN = Duration.ofSeconds(60);

    private static final Key ROOT = new Key(List.of());
    private static final System.Logger LOG = SafeLog.of(StoreFollower.class);

    private final ClusterStore store;
    private final ClusterThreads threads;
    private final LongSupplier nanos;
    private final News news;
    private final Set<Key> changed = new HashSet<>(); // since the last reading of all entries has begun
    private long readAt;
    private boolean isReading;
    private long syncs; // how often the watch has told all entries
    private boolean isFollowing; // or is about to
    private volatile boolean stale = true;

    /** Hears of changes, on the registry's thread. */
    interface News {

        /** Handles that these are all entries, except those of some keys, which may have changed meanwhile. */
        void onAll(List<Entry> all, Set<Key> except);

        /** Handles that an entry was written. */
        void onPut(Entry entry);

        /** Handles that there is no such entry any more, as of a version. */
        void onRemoved(Key key, long version);

        /** Handles that the store answers again, after {@link #onAll}. */
        void onFresh();
    }

    StoreFollower(ClusterStore store, ClusterThreads threads, LongSupplier nanos, News news) {
        this.store = requireNonNull(store, "store");
        this.threads = requireNonNull(threads, "threads");
        this.nanos = requireNonNull(nanos, "nanos");
        this.news = requireNonNull(news, "news");
        readAt = nanos.getAsLong();
    }

    /** Whether changes may have been missed. On any thread. */
    boolean isStale() {
        return stale;
    }

    /** Begins to follow the store, if it does not. To be called until it does, for the store may not answer. */
    void follow() {
        if (isFollowing) {
            return;
        }
        isFollowing = true;
        threads.onStore("watch", () -> {
            boolean isDone = false;
            try {
                AutoCloseable unused = store.watch(ROOT, new Watched());
                isDone = true;
            } finally {
                boolean follows = isDone;
                threads.onRegistry(() -> isFollowing = follows);
            }
        });
    }

    /** Reads all entries again, if it is time. */
    void readAgain() {
        if (isReading || nanos.getAsLong() - readAt < READ_AGAIN.toNanos()) {
            return;
        }
        isReading = true;
        changed.clear();
        long begun = syncs;
        boolean isTaken = threads.onStore("read all entries", () -> {
            List<Entry> all = null;
            try {
                all = store.list(ROOT);
            } finally {
                List<Entry> read = all;
                threads.onRegistry(() -> {
                    isReading = false;
                    readAt = nanos.getAsLong();
                    if (read != null && begun == syncs) { // else it may be older than what was told
                        news.onAll(read, Set.copyOf(changed));
                    }
                });
            }
        });
        isReading = isReading && isTaken;
    }

    /** Takes the notices of the store, on a thread of its own. */
    private final class Watched implements ClusterStore.Listener {

        @Override
        public void onSync(List<Entry> all) {
            threads.onRegistry(() -> {
                stale = false;
                syncs++;
                readAt = nanos.getAsLong();
                news.onAll(all, Set.of());
                news.onFresh();
            });
        }

        @Override
        public void onPut(Entry entry) {
            threads.onRegistry(() -> {
                changed.add(entry.key());
                news.onPut(entry);
            });
        }

        @Override
        public void onRemoved(Key key, long version) {
            threads.onRegistry(() -> {
                changed.add(key);
                news.onRemoved(key, version);
            });
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
