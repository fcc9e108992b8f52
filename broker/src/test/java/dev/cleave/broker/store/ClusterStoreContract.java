package dev.cleave.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every store promises; each implementation runs these tests. */
public abstract class ClusterStoreContract {

    private static final Key ALL = new Key(List.of());
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<AutoCloseable> opened = new ArrayList<>();

    /** Opens a session with the store of this test, which is empty at its beginning. */
    protected abstract ClusterStore open();

    /** What a watch has told. */
    protected static final class Seen implements ClusterStore.Listener {

        private final Map<String, String> entries = new TreeMap<>();
        private int syncs;
        private boolean descends;
        private final Map<Key, Long> versions = new HashMap<>();

        /** Creates a listener that was told nothing. */
        public Seen() {}

        @Override
        public synchronized void onSync(List<Entry> all) {
            entries.clear();
            all.forEach(this::put);
            syncs++;
        }

        @Override
        public synchronized void onPut(Entry entry) {
            Long before = versions.put(entry.key(), entry.version());
            descends |= before != null && before > entry.version();
            put(entry);
        }

        private void put(Entry entry) {
            entries.put(entry.key().toString(), text(entry.value()));
        }

        @Override
        public synchronized void onRemoved(Key key, long version) {
            entries.remove(key.toString());
        }

        @Override
        public void onStale() {}

        @Override
        public void onLost() {}

        /** The entries that there are, as this watch was told. */
        public synchronized Map<String, String> entries() {
            return Map.copyOf(entries);
        }

        synchronized int syncs() {
            return syncs;
        }

        synchronized boolean descends() {
            return descends;
        }
    }

    protected final ClusterStore session() {
        ClusterStore store = open();
        opened.add(store);
        return store;
    }

    @AfterEach
    void closeSessions() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void whatOneSessionWritesAnotherReads() {
        ClusterStore one = session();
        ClusterStore other = session();
        Key key = Key.of("replicas", "a/b c", "käse..%2F");

        Entry written = one.put(key, bytes("x"), null);

        Entry read = other.get(key).orElseThrow();
        assertThat(text(read.value())).isEqualTo("x");
        assertThat(read.version()).isEqualTo(written.version());
        assertThat(read.revision()).isEqualTo(written.revision());
        assertThat(other.list(ALL)).extracting(Entry::key).containsExactly(key);
        assertThat(other.list(Key.of("replicas", "a"))).isEmpty();
        assertThat(other.get(Key.of("replicas", "a/b c"))).isEmpty();
    }

    @Test
    void aWriteThatExpectsAnotherStateWritesNothing() {
        ClusterStore store = session();
        Key key = Key.of("replicas", "s", "r");
        Entry first = store.put(key, bytes("1"), null);
        Entry second = store.put(key, bytes("2"), first);

        assertThat(second.version()).isGreaterThan(first.version());
        assertThatThrownBy(() -> store.put(key, bytes("3"), first)).isInstanceOf(StoreException.Conflict.class);
        assertThatThrownBy(() -> store.put(key, bytes("3"), null)).isInstanceOf(StoreException.Conflict.class);
        assertThatThrownBy(() -> store.put(Key.of("replicas", "s", "q"), bytes("3"), first))
                .isInstanceOf(StoreException.Conflict.class);
        assertThat(text(store.get(key).orElseThrow().value())).isEqualTo("2");
    }

    @Test
    void anEntryWithoutBytesIsGoneAndMayComeAgain() {
        ClusterStore store = session();
        Key key = Key.of("replicas", "s", "r");
        Entry first = store.put(key, bytes("1"), null);

        store.put(key, new byte[0], first);

        assertThat(store.get(key)).isEmpty();
        assertThat(store.list(ALL)).isEmpty();
        assertThatThrownBy(() -> store.put(key, bytes("2"), first)).isInstanceOf(StoreException.Conflict.class);
        Entry again = store.put(key, bytes("3"), null);
        assertThat(again.version()).isGreaterThan(first.version());
        assertThatThrownBy(() -> store.put(key, bytes("4"), first)).isInstanceOf(StoreException.Conflict.class);
    }

    @Test
    void ofManyWritersOfOneEntryOneWinsEachRound() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Key key = Key.of("replicas", "s", "r");
        try {
            List<Callable<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                ClusterStore own = session();
                writers.add(() -> {
                    int won = 0;
                    while (won < 10) {
                        Entry before = own.get(key).orElse(null);
                        int count = before == null ? 0 : Integer.parseInt(text(before.value()));
                        try {
                            own.put(key, bytes(Integer.toString(count + 1)), before);
                            won++;
                        } catch (StoreException.Conflict e) {
                            continue;
                        }
                    }
                    return won;
                });
            }
            for (Future<Integer> each : threads.invokeAll(writers)) {
                assertThat(each.get()).isEqualTo(10);
            }
        } finally {
            threads.shutdown();
        }

        assertThat(text(session().get(key).orElseThrow().value())).isEqualTo("40");
    }

    @Test
    void anEphemeralEntryEndsWithItsSessionAndFencesGrow() {
        ClusterStore watcher = session();
        Seen seen = new Seen();
        watcher.watch(ALL, seen);
        ClusterStore first = open();
        long one = first.ephemeral(Key.of("brokers", "1"), bytes("one"));
        ClusterStore second = session();
        long two = second.ephemeral(Key.of("brokers", "2"), bytes("two"));

        assertThat(two).isGreaterThan(one);
        assertThat(first.fence()).isEqualTo(one);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen.entries())
                .containsEntry("brokers/1", "one")
                .containsEntry("brokers/2", "two"));

        first.close();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen.entries()).containsOnlyKeys("brokers/2"));
        assertThat(second.fence()).isEqualTo(two);
    }

    @Test
    void aWatchTellsAllThatIsThereAndThenEachChangeInOrder() {
        ClusterStore writer = session();
        writer.put(Key.of("replicas", "s", "before"), bytes("0"), null);
        Seen seen = new Seen();
        ClusterStore reader = session();

        reader.watch(ALL, seen);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen.syncs()).isPositive());
        assertThat(seen.entries()).containsOnly(Map.entry("replicas/s/before", "0"));
        Entry last = null;
        for (int i = 0; i < 20; i++) {
            last = writer.put(Key.of("replicas", "s", "r"), bytes("" + i), last);
        }
        Entry gone = writer.put(Key.of("replicas", "t", "gone"), bytes("x"), null);
        writer.put(gone.key(), new byte[0], gone);
        writer.put(Key.of("replicas", "u", "end"), bytes("y"), null);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen.entries())
                .containsOnly(
                        Map.entry("replicas/s/before", "0"),
                        Map.entry("replicas/s/r", "19"),
                        Map.entry("replicas/u/end", "y")));
        assertThat(seen.descends()).isFalse();
    }

    @Test
    void valuesThatAreTooLongAreRefused() {
        ClusterStore store = session();

        assertThatThrownBy(() -> store.put(Key.of("replicas", "s", "r"), new byte[ClusterStore.MOST_BYTES + 1], null))
                .isInstanceOf(IllegalArgumentException.class);
        store.put(Key.of("replicas", "s", "r"), new byte[ClusterStore.MOST_BYTES], null);
    }
}
