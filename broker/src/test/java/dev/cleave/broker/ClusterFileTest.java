package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.DeniedException;
import dev.cleave.Remote;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application file that one broker of a cluster is given: its rights hold at all of them. */
@Tag("one-jdk")
final class ClusterFileTest {

    private static final String FILE = """
            services:
              bank: {route: relay}
            security:
              rights:
                - {identity: server, register: [bank]}
                - {identity: clerk, call: [bank]}
                - {identity: operator, administer: [drain, list, reload]}
            """;

    @TempDir
    static Path directory;

    private static TestKeys keys;

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final ExecutorService notifier = Executors.newSingleThreadExecutor();
    private final Bindings file = Bindings.parse(FILE, "cleave.yaml");
    private final List<InMemoryStore> stores = new ArrayList<>();
    private final List<Broker> brokers = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();

    /** The service. */
    @Remote
    interface Bank {

        int balance();
    }

    @BeforeAll
    static void certify() {
        keys = new TestKeys(directory);
    }

    @AfterEach
    void close() {
        stores.forEach(InMemoryStore::close); // so that no broker waits for others that are closed next
        nodes.forEach(Node::close);
        brokers.parallelStream().forEach(Broker::close); // each waits until relayed calls have ended
        notifier.shutdown();
    }

    private Broker broker() {
        InMemoryStore store = ensemble.open(notifier);
        Broker started = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(file)
                .with(keys.takingTokens("broker"))
                .with(new BrokerOptions.Membership(store, null)));
        stores.add(store);
        brokers.add(started);
        return started;
    }

    private Node node(String identity, Broker at) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(identity)
                .withBroker(at.endpoint().of(null))
                .withBindings(file)
                .withKeys(keys.takingTokens(identity))
                .withPatience(Duration.ZERO));
        nodes.add(node);
        return node;
    }

    private static Path withoutClerks() throws IOException {
        return Files.writeString(directory.resolve("next.yaml"), FILE.replace("clerk", "porter"));
    }

    private void isDenied(Broker at) {
        await().untilAsserted(() -> {
            try (Node clerk = node("clerk", at)) {
                assertThatThrownBy(() -> clerk.lookup("bank", Bank.class)).isInstanceOf(DeniedException.class);
            }
        });
    }

    @Test
    void aRightThatOneBrokerTakesAwayIsGoneAtTheOthersAndAtThoseThatStartLater() throws Exception {
        Broker first = broker();
        Broker second = broker();
        await().until(() -> second.members().size() == 2 && first.members().size() == 2);
        node("server", second).bind("bank", Bank.class, () -> 7);
        Bank bank = node("clerk", second).lookup("bank", Bank.class);
        assertThat(bank.balance()).isEqualTo(7);

        assertThat(node("operator", first).reload(withoutClerks()))
                .contains("broker: applied", "cluster: shared with all brokers");
        Broker third = broker();
        await().until(() -> third.members().size() == 3);
        first.close();

        isDenied(second);
        isDenied(third);
    }

    @Test
    void withoutTheStoreAFileHoldsAtItsBrokerAndAtTheOthersWhenTheStoreAnswers() throws Exception {
        Broker first = broker();
        Broker second = broker();
        await().until(() -> second.members().size() == 2 && first.members().size() == 2);
        stores.forEach(InMemoryStore::cut);

        assertThat(node("operator", first).reload(withoutClerks()))
                .contains("broker: applied", "cluster: known at this broker alone until the store answers");

        stores.forEach(InMemoryStore::heal);
        await().until(() -> ensemble.snapshot().stream()
                .anyMatch(entry -> entry.key().toString().equals("settings/file")));
        first.close();
        isDenied(second);
    }

    /** Starts a broker with a file, while the cluster has another one or the same; returns the lines that it logs about it. */
    private List<String> loggedByABrokerThatStartsWith(String text) {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(Reloading.class.getName());
        logger.addHandler(handler);
        try {
            InMemoryStore store = ensemble.open(notifier);
            stores.add(store);
            brokers.add(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                    .with(Bindings.parse(text, "cleave.yaml"))
                    .with(keys.takingTokens("broker"))
                    .with(new BrokerOptions.Membership(store, null))));
            await().until(() -> !lines.isEmpty());
            return List.copyOf(lines);
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void aBrokerThatStartsWithAnotherFileThanThatOfTheClusterSaysWhichHolds() throws Exception {
        Broker first = broker();
        assertThat(node("operator", first).reload(withoutClerks())).contains("cluster: shared with all brokers");

        assertThat(loggedByABrokerThatStartsWith(FILE.replace("relay", "direct")))
                .containsExactly(
                        "the application file that was last reloaded in the cluster holds, not that of this broker, which differs"
                                + " in services.bank, security.rights; to make this one hold everywhere: bin/cleave reload FILE");
        assertThat(loggedByABrokerThatStartsWith(FILE.replace("clerk", "porter")))
                .containsExactly("the application file of the cluster: applied");
    }
}
