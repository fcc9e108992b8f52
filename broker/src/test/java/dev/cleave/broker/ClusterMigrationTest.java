package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Services;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waiting calls move between servers that are connected to different brokers, over TCP. */
@Tag("one-jdk")
final class ClusterMigrationTest {

    private static final Bindings FILE = Bindings.parse("""
            services:
              work:
                replicas: [{name: slow}, {name: fast}]
                balance: static("1:0")
                workers: 1
                migrate: ["slow # fast(uc: load == 0) : [1/2]"]
            """, "cleave.yaml");

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final ExecutorService notifier = Executors.newSingleThreadExecutor();
    private final List<InMemoryStore> stores = new ArrayList<>();
    private final List<Broker> brokers = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final GatedWork slow = new GatedWork();
    private final GatedWork fast = new GatedWork();

    @AfterEach
    void stop() {
        slow.gate.release(100_000);
        fast.gate.release(100_000);
        nodes.forEach(Node::close);
        stores.forEach(InMemoryStore::close); // so that no broker waits for others that are closed next
        brokers.parallelStream().forEach(Broker::close); // each waits until relayed calls have ended
        notifier.shutdown();
    }

    private void broker() {
        InMemoryStore store = ensemble.open(notifier);
        stores.add(store);
        brokers.add(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(FILE)
                .with(new BrokerOptions.Membership(store, null))));
        await().until(() -> brokers.stream().allMatch(each -> each.members().size() == brokers.size()));
    }

    private Node node(String name) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(brokers.get(0).endpoint())
                .withBindings(FILE));
        nodes.add(node);
        return node;
    }

    private static Set<String> homes(Node node) {
        Set<String> homes = new HashSet<>();
        for (Services.Replica replica : node.list().get(0).replicas()) {
            homes.add(replica.isElsewhere() ? replica.address() : "here");
        }
        return homes;
    }

    private static boolean areApart(Node node) {
        try {
            await().atMost(Duration.ofSeconds(2)).until(() -> homes(node).size() == 2);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    @Test
    void callsMoveToAReplicaAtAnotherBroker() {
        broker();
        broker();
        node("slow").bind("work", slow);
        node("fast").bind("work", fast);
        Node client = node("client");
        await().until(() -> client.list().get(0).replicas().size() == 2);
        while (!areApart(client)) { // the names of brokers are random: so are the homes of the two
            broker();
        }
        Work work = client.lookup("work", Work.class);

        List<Pending<Integer>> sent = IntStream.range(0, 20)
                .<Pending<Integer>>mapToObj(i -> Cleave.async(() -> work.run(i)))
                .toList();
        fast.gate.release(1_000); // the slow one never ends its first call by itself

        await().until(() -> fast.begun.size() == 19);
        slow.gate.release(1_000);
        assertThat(sent.stream().map(Pending::await))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).map(i -> i * 10).boxed().toList());
        assertThat(fast.begun).doesNotContainAnyElementsOf(slow.begun).doesNotHaveDuplicates();
        assertThat(ensemble.snapshot().stream().map(entry -> entry.key().toString()))
                .contains("owners/work");
    }
}
