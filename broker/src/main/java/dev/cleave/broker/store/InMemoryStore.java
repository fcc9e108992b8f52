package dev.cleave.broker.store;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of this process, for the brokers of this process: one session of it. Thread-safe: its lock is its
 * ensemble.
 */
public final class InMemoryStore implements ClusterStore {

    private final Ensemble ensemble;
    private final Executor notifier;

    private final Map<Listener, Key> listeners = new LinkedHashMap<>();

    private final Set<Key> own = new HashSet<>();

    private Health health = Health.CONNECTED;

    private long fence;

    /** The entries that all sessions share. */
    public static final class Ensemble {

        private static final Comparator<Key> ORDER = Comparator.comparing(key -> String.join("\0", key.parts()));

        private final Map<Key, Entry> entries = new TreeMap<>(ORDER);

        private final Map<Key, Integer> revisions = new TreeMap<>(ORDER);

        private final List<InMemoryStore> sessions = new ArrayList<>();

        private long version;

        /**
         * Opens a session.
         *
         * @param notifier runs the notices of its watches, one after the other, in order
         */
        public synchronized InMemoryStore open(Executor notifier) {
            InMemoryStore opened = new InMemoryStore(this, notifier);
            sessions.add(opened);
            return opened;
        }

        /** Returns all entries as they are now, to be {@linkplain #restore restored} later. */
        public synchronized List<Entry> snapshot() {
            return List.copyOf(entries.values());
        }

        /** Puts earlier entries in the place of all: as an operator does who restores an old snapshot. */
        public synchronized void restore(List<Entry> snapshot) {
            entries.clear();
            snapshot.forEach(entry -> write(entry.key(), entry.value()));
            sessions.forEach(InMemoryStore::resync);
        }

        private Entry write(Key key, byte[] value) {
            int revision = revisions.merge(key, 1, Integer::sum);
            Entry written = new Entry(key, value, ++version, revision);
            if (value.length == 0) {
                entries.remove(key);
            } else {
                entries.put(key, written);
            }
            sessions.forEach(session -> session.tell(written));
            return written;
        }
    }

    private InMemoryStore(Ensemble ensemble, Executor notifier) {
        this.ensemble = requireNonNull(ensemble, "ensemble");
        this.notifier = requireNonNull(notifier, "notifier");
    }

    @Override
    public Optional<Entry> get(Key key) {
        synchronized (ensemble) {
            check();
            return Optional.ofNullable(ensemble.entries.get(key));
        }
    }

    @Override
    public List<Entry> list(Key prefix) {
        synchronized (ensemble) {
            check();
            return below(prefix);
        }
    }

    @Override
    public Entry put(Key key, byte[] value, @Nullable Entry expected) {
        if (value.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "value: " + value.length + " bytes (expected: at most " + MOST_BYTES + ")");
        }
        synchronized (ensemble) {
            check();
            Entry before = ensemble.entries.get(key);
            boolean isAsExpected = expected == null
                    ? before == null
                    : before != null
                            && before.revision() == expected.revision()
                            && before.version() == expected.version();
            if (!isAsExpected) {
                throw new StoreException.Conflict(key);
            }
            return ensemble.write(key, value);
        }
    }

    @Override
    public long ephemeral(Key key, byte[] value) {
        synchronized (ensemble) {
            check();
            health = Health.CONNECTED;
            own.add(key);
            fence = ensemble.write(key, value).version();
            return fence;
        }
    }

    @Override
    public AutoCloseable watch(Key prefix, Listener listener) {
        synchronized (ensemble) {
            check();
            listeners.put(listener, prefix);
            List<Entry> all = below(prefix);
            notifier.execute(() -> listener.onSync(all));
        }
        return () -> {
            synchronized (ensemble) {
                listeners.remove(listener);
            }
        };
    }

    @Override
    public long fence() {
        synchronized (ensemble) {
            return fence;
        }
    }

    @Override
    public Health health() {
        synchronized (ensemble) {
            return health;
        }
    }

    @Override
    public void close() {
        synchronized (ensemble) {
            listeners.clear();
            end();
            ensemble.sessions.remove(this);
        }
    }

    /** Cuts this session from the store: verbs fail, and nothing is told. */
    public void cut() {
        synchronized (ensemble) {
            health = Health.SUSPENDED;
            told(Listener::onStale);
        }
    }

    /** Ends the session on the side of the store, as when it was cut for longer than its time-out. */
    public void expire() {
        synchronized (ensemble) {
            health = Health.LOST;
            end();
            told(Listener::onLost);
        }
    }

    /** Connects again after a cut, with the old session or, if that has ended, a new one. */
    public void heal() {
        synchronized (ensemble) {
            health = Health.CONNECTED;
            resync();
        }
    }

    private void end() {
        fence = 0;
        for (Key key : own) {
            if (ensemble.entries.containsKey(key)) {
                ensemble.write(key, new byte[0]);
            }
        }
        own.clear();
    }

    private void check() {
        if (health != Health.CONNECTED) {
            throw new StoreException("the store does not answer", null);
        }
    }

    private List<Entry> below(Key prefix) {
        return ensemble.entries.values().stream()
                .filter(entry -> entry.key().isBelow(prefix))
                .toList();
    }

    private void resync() {
        if (health == Health.CONNECTED) {
            listeners.forEach((listener, prefix) -> {
                List<Entry> all = below(prefix);
                notifier.execute(() -> listener.onSync(all));
            });
        }
    }

    private void tell(Entry written) {
        if (health != Health.CONNECTED) {
            return;
        }
        listeners.forEach((listener, prefix) -> {
            if (written.key().isBelow(prefix)) {
                notifier.execute(() -> {
                    if (written.value().length == 0) {
                        listener.onRemoved(written.key(), written.version());
                    } else {
                        listener.onPut(written);
                    }
                });
            }
        });
    }

    private void told(Consumer<Listener> news) {
        listeners.keySet().forEach(listener -> notifier.execute(() -> news.accept(listener)));
    }
}
