package dev.cleave.lab.cluster;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session with a store that has a known defect, or none; its reads and writes are recorded. */
final class DefectiveStore implements ClusterStore {

    private final String broker;
    private final ClusterStore store;
    private final StoreKind kind;
    private final @Nullable StoreDefect defect;
    private final RegistryHistory history;
    private final Runnable pause; // lets other brokers go on before a write
    private final Map<Key, Entry> before = new HashMap<>();
    private long firstFence;
    private long count;

    DefectiveStore(
            String broker,
            ClusterStore store,
            StoreKind kind,
            @Nullable StoreDefect defect,
            RegistryHistory history,
            Runnable pause) {
        this.kind = kind;
        this.broker = broker;
        this.store = store;
        this.defect = defect;
        this.history = history;
        this.pause = pause;
    }

    @Override
    public Optional<Entry> get(Key key) {
        Optional<Entry> got = read(key);
        if (kind == StoreKind.MEMORY) {
            history.read(key, got.orElse(null));
        } else {
            history.readBehind(broker, key, got.orElse(null));
        }
        return got;
    }

    private Optional<Entry> read(Key key) {
        Optional<Entry> now = store.get(key);
        if (defect == StoreDefect.OLD_READS && now.isPresent()) {
            Entry old = before.put(key, now.get());
            return Optional.of(old == null ? now.get() : old);
        }
        return now;
    }

    @Override
    public List<Entry> list(Key prefix) {
        return store.list(prefix);
    }

    @Override
    public Entry put(Key key, byte[] value, @Nullable Entry expected) {
        pause.run();
        Entry written = write(key, value, expected);
        history.written(broker, key, expected, written);
        return written;
    }

    private Entry write(Key key, byte[] value, @Nullable Entry expected) {
        if (defect == StoreDefect.NOTHING_GOES && value.length == 0) {
            return new Entry(key, value, Long.MAX_VALUE, 0);
        }
        if (defect == StoreDefect.LOST_WRITES && value.length > 0 && ++count % 3 == 0) {
            Entry now = store.get(key).orElse(null);
            return new Entry(key, value, now == null ? Long.MAX_VALUE : now.version() + 1, 1);
        }
        return store.put(
                key, value, defect == StoreDefect.BLIND_WRITES ? store.get(key).orElse(null) : expected);
    }

    @Override
    public long ephemeral(Key key, byte[] value) {
        if (defect == StoreDefect.BROKERS_STAY) {
            Entry unused = store.put(key, value, store.get(key).orElse(null));
            firstFence = unused.version();
            history.joined(key, firstFence);
            return firstFence;
        }
        long fence = store.ephemeral(key, value);
        history.joined(key, fence);
        if (firstFence == 0) {
            firstFence = fence;
        }
        return fence();
    }

    @Override
    public AutoCloseable watch(Key prefix, Listener listener) {
        return store.watch(prefix, new Listener() {

            private int events;
            private boolean wasSynced;
            private @Nullable Entry last;

            @Override
            public void onSync(List<Entry> all) {
                if (defect != StoreDefect.NO_SYNC || !wasSynced) {
                    wasSynced = true;
                    listener.onSync(all);
                }
            }

            @Override
            public void onPut(Entry entry) {
                if (defect == StoreDefect.LOST_EVENTS && ++events % 5 == 0) {
                    return;
                }
                Entry old = last;
                last = entry;
                listener.onPut(entry);
                if (defect == StoreDefect.SHUFFLED_EVENTS && old != null) {
                    listener.onPut(new Entry(old.key(), old.value(), entry.version() + 1, old.revision()));
                }
            }

            @Override
            public void onRemoved(Key key, long version) {
                listener.onRemoved(key, version);
                if (defect == StoreDefect.HASTY_REMOVAL && key.parts().get(0).equals("brokers")) {
                    removeReplicas(key.parts().get(1));
                }
            }

            private void removeReplicas(String broker) {
                try {
                    store.list(Key.of("replicas")).stream()
                            .filter(entry -> new String(entry.value(), StandardCharsets.ISO_8859_1).contains(broker))
                            .forEach(entry -> history.written(
                                    DefectiveStore.this.broker,
                                    entry.key(),
                                    entry,
                                    store.put(entry.key(), new byte[0], entry)));
                } catch (StoreException e) {
                    return; // cut, or another broker was quicker
                }
            }

            @Override
            public void onStale() {
                listener.onStale();
            }

            @Override
            public void onLost() {
                listener.onLost();
            }
        });
    }

    @Override
    public long fence() {
        if (defect == StoreDefect.BROKERS_STAY) {
            return firstFence;
        }
        return defect == StoreDefect.OLD_FENCES && store.fence() != 0 ? firstFence : store.fence();
    }

    @Override
    public Health health() {
        return store.health();
    }

    @Override
    public void close() {
        store.close();
    }
}
