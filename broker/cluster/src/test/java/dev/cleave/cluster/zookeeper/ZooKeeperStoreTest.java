package dev.cleave.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.ClusterStoreContract;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.broker.store.StoreProvider;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, with one node of ZooKeeper in this process. */
@Tag("one-jdk")
final class ZooKeeperStoreTest extends ClusterStoreContract {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static TestingServer server;
    private String path;

    @BeforeAll
    static void startServer() throws Exception {
        System.setProperty("zookeeper.admin.enableServer", "false");
        server = new TestingServer(true);
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void choosePath() {
        path = "/test-" + TESTS.incrementAndGet();
    }

    @Override
    protected ClusterStore open() {
        return StoreProvider.openAny("zk://" + server.getConnectString() + path);
    }

    @Test
    void entriesAndWatchesOutliveANodeThatStopsAndComesBack() throws Exception {
        ClusterStore store = session();
        Seen seen = new Seen();
        store.watch(new Key(List.of()), seen);
        Entry before = store.put(Key.of("replicas", "s", "r"), bytes("1"), null);
        long fence = store.ephemeral(Key.of("brokers", "b"), bytes("me"));

        server.stop();
        await().atMost(Duration.ofSeconds(60)).until(() -> store.health() != ClusterStore.Health.CONNECTED);
        assertThatThrownBy(() -> store.put(before.key(), bytes("2"), before)).isInstanceOf(StoreException.class);
        server.restart();

        await().atMost(Duration.ofSeconds(30)).until(() -> store.health() == ClusterStore.Health.CONNECTED);
        Entry now = store.get(before.key()).orElseThrow();
        Entry after = store.put(before.key(), bytes("3"), now);
        assertThat(after.version()).isGreaterThan(fence);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(seen.entries()).containsEntry("replicas/s/r", "3"));
    }

    @Test
    void addressesThatCannotBeUnderstoodAreRefusedWithWhatIsExpected() {
        for (String wrong : List.of("zk://", "zk:///x", "zk://a b/c", "zk://a/../%2e")) {
            assertThatThrownBy(() -> StoreProvider.openAny(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("zk://host:port,host:port/path");
        }
        assertThatThrownBy(() -> StoreProvider.openAny("etcd://a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cleave-cluster");
    }

    @Test
    void pathsLeadBackToTheirKeysAndNoOthers() {
        Random random = new Random(24);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                text.appendCodePoint(random.nextInt(4) == 0 ? random.nextInt(0xd800) : 32 + random.nextInt(96));
            }
            Key key = Key.of("replicas", text.toString(), "..");
            assertThat(Paths.key("/root", Paths.of("/root", key))).isEqualTo(key);
            Key read = Paths.key("/root", "/root/" + text);
            assertThat(read == null || Paths.of("/root", read).equals("/root/" + text))
                    .isTrue();
        }
    }
}
