package dev.cleave.lab.cluster;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.broker.store.Key;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session with a store that has a known defect, or none. */
final class DefectiveStore implements ClusterStore {

    private final InMemoryStore store;
    private final @Nullable StoreDefect defect;
    private final Map<Key, Entry> before = new HashMap<>();
    private long firstFence;
    private long count;

    DefectiveStore(InMemoryStore store, @Nullable StoreDefect defect) {
        this.store = store;
        this.defect = defect;
    }

    @Override
    public Optional<Entry> get(Key key) {
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
        if (defect == StoreDefect.NOTHING_GOES && value.length == 0) {
            return new Entry(key, value, Long.MAX_VALUE, 0);
        }
        if (defect == StoreDefect.LOST_WRITES && value.length > 0 && ++count % 3 == 0) {
            Entry now = store.get(key).orElse(null);
            return new Entry(key, value, now == null ? Long.MAX_VALUE : now.version() + 1, 1);
        }
        return store.put(key, value, defect == StoreDefect.BLIND_WRITES ? store.get(key).orElse(null) : expected);
    }

    @Override
    public long ephemeral(Key key, byte[] value) {
        if (defect == StoreDefect.BROKERS_STAY) {
            Entry unused = store.put(key, value, store.get(key).orElse(null));
            firstFence = unused.version();
            return firstFence;
        }
        long fence = store.ephemeral(key, value);
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
                    store.list(Key.of("replicas")).stream()
                            .filter(entry -> new String(entry.value(), StandardCharsets.UTF_8)
                                    .contains(key.parts().get(1)))
                            .forEach(entry -> store.put(entry.key(), new byte[0], entry));
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
