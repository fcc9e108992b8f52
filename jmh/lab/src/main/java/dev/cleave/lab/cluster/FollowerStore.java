package dev.cleave.lab.cluster;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A session with a store that behaves as ZooKeeper does ({@link StoreKind#ZOOKEEPER}): it reads from a follower, which has applied what its
 * watches have told. After a write of its own the follower has applied all before that write. Of several quick changes of one
 * entry a watch may tell the last one twice, for its value is read after the event.
 */
final class FollowerStore implements ClusterStore {

    private static final Key ROOT = new Key(List.of());
    private static final int SELDOM = 25; // one write in 25 loses its request, and one its answer

    private final String broker;
    private final ClusterStore leader;
    private final @Nullable StoreDefect defect;
    private final RegistryHistory history;
    private final IntUnaryOperator random; // below a bound
    private final Map<Key, Entry> applied = new HashMap<>();
    private final Map<Key, Entry> earlier = new HashMap<>(); // what was applied before
    private long level; // all writes up to this version have been applied
    private boolean follows;

    FollowerStore(
            String broker,
            ClusterStore leader,
            @Nullable StoreDefect defect,
            RegistryHistory history,
            IntUnaryOperator random) {
        this.broker = broker;
        this.leader = leader;
        this.defect = defect;
        this.history = history;
        this.random = random;
    }

    @Override
    public Optional<Entry> get(Key key) {
        Optional<Entry> newest = leader.get(key); // fails while the store does not answer
        if (!follows) {
            return newest;
        }
        if (defect == StoreDefect.BACKWARD_READS && random.applyAsInt(4) == 0) {
            return Optional.ofNullable(earlier.getOrDefault(key, applied.get(key)));
        }
        return Optional.ofNullable(applied.get(key));
    }

    @Override
    public List<Entry> list(Key prefix) {
        List<Entry> all = leader.list(prefix);
        return follows
                ? applied.values().stream()
                        .filter(entry -> entry.key().isBelow(prefix))
                        .sorted((a, b) -> a.key().toString().compareTo(b.key().toString()))
                        .toList()
                : all;
    }

    @Override
    public Entry put(Key key, byte[] value, @Nullable Entry expected) {
        if (random.applyAsInt(SELDOM) == 0) {
            throw new StoreException(key + ": the connection was lost before the write", null);
        }
        Entry written = leader.put(key, value, expected);
        if (random.applyAsInt(SELDOM) == 0) {
            history.unanswered(broker, key, expected, written);
            if (defect == StoreDefect.REPEATED_WRITES) {
                Entry again = leader.put(key, value, leader.get(key).orElse(null));
                catchUp(again.version());
                return again;
            }
            throw new StoreException(key + ": the connection was lost before the answer", null);
        }
        catchUp(written.version());
        return written;
    }

    /** Applies all that the leader has written, which includes all of a version. */
    private void catchUp(long version) {
        if (follows) {
            isAll(leader.list(ROOT));
            level = Math.max(level, version);
        }
    }

    private void apply(Entry entry) {
        Entry now = applied.get(entry.key());
        if (entry.version() > level && (now == null || now.version() < entry.version())) {
            if (now != null) {
                earlier.put(entry.key(), now);
            }
            applied.put(entry.key(), entry);
        }
    }

    private void isAll(List<Entry> all) {
        applied.clear();
        all.forEach(entry -> applied.put(entry.key(), entry));
    }

    @Override
    public long ephemeral(Key key, byte[] value) {
        long fence = leader.ephemeral(key, value);
        catchUp(fence);
        return fence;
    }

    @Override
    public AutoCloseable watch(Key prefix, Listener listener) {
        return leader.watch(prefix, new Listener() {

            @Override
            public void onSync(List<Entry> all) {
                follows = true;
                try {
                    catchUp(0); // it has read them after they were told that it is to do so
                } catch (StoreException e) {
                    all.forEach(FollowerStore.this::apply); // it has lost the connection again
                }
                listener.onSync(all);
            }

            @Override
            public void onPut(Entry entry) {
                apply(entry);
                listener.onPut(applied.getOrDefault(entry.key(), entry));
            }

            @Override
            public void onRemoved(Key key, long version) {
                Entry now = applied.get(key);
                if (now == null || now.version() < version) {
                    applied.remove(key);
                    listener.onRemoved(key, version);
                } else {
                    listener.onPut(now); // it is there again
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
        return leader.fence();
    }

    @Override
    public Health health() {
        return leader.health();
    }

    @Override
    public void close() {
        leader.close();
    }
}
