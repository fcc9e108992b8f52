package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.replica.Rendezvous;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Services;
import dev.cleave.wire.Welcome;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Brokers that share a store, and nodes, over TCP. */
@Tag("one-jdk")
final class ClusterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final ExecutorService notifier = Executors.newSingleThreadExecutor();
    private final List<Broker> brokers = new ArrayList<>();
    private final List<InMemoryStore> stores = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private Bindings bindings = Bindings.NONE;

    /** What the nodes serve. */
    @Remote
    interface Who {

        String are(String you);
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
        stores.forEach(InMemoryStore::close); // so that no broker waits for others that are closed next
        brokers.forEach(Broker::close);
        notifier.shutdown();
    }

    private Broker broker() {
        InMemoryStore store = ensemble.open(notifier);
        Broker started = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(bindings)
                .with(new BrokerOptions.Membership(store, null)));
        stores.add(store);
        brokers.add(started);
        return started;
    }

    private void brokers(int count) {
        for (int i = 0; i < count; i++) {
            Broker unused = broker();
        }
        await().atMost(PATIENCE)
                .until(() -> brokers.stream().allMatch(each -> each.members().size() == count));
    }

    private Node node(String name, Broker... at) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (Broker each : at) {
            endpoints.add(each.endpoint());
        }
        Node node = Node.connect(
                NodeOptions.DEFAULT.withBrokers(endpoints).withName(name).withBindings(bindings));
        nodes.add(node);
        return node;
    }

    private void serve(String name, Broker at) {
        node(name, at).bind("who", Who.class, you -> name + " to " + you);
    }

    /** Where each replica is at home, as a node sees that asks one broker alone. */
    private static Map<String, String> homes(Node node) {
        Map<String, String> homes = new TreeMap<>();
        for (Services.Service service : node.list()) {
            for (Services.Replica replica : service.replicas()) {
                homes.put(replica.name(), replica.isElsewhere() ? replica.address() : "here");
            }
        }
        return homes;
    }

    @Test
    void aClientOfOneBrokerFindsAServiceThatIsRegisteredAtAnother() {
        brokers(3);
        for (int i = 0; i < 6; i++) {
            serve("server-" + i, brokers.get(i % 3));
        }

        for (Broker each : brokers) {
            Node client = node("client", each);
            await().atMost(PATIENCE).until(() -> homes(client).size() == 6);
            assertThat(client.lookup("who", Who.class).are("me")).startsWith("server-");
        }
    }

    @Test
    void nodesLearnAllBrokersAndSpreadOverThem() {
        brokers(3);

        for (int i = 0; i < 12; i++) {
            serve("server-" + i, brokers.get(0));
        }

        Node client = node("client", brokers.get(0));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(client.brokers()).extracting(Welcome.Broker::endpoint).hasSize(3);
            assertThat(homes(client)).hasSize(12);
            assertThat(homes(client).values().stream().distinct()).hasSizeGreaterThan(1);
        });
    }

    @Test
    void aServerGoesToTheBrokerThatItPrefersBeforeItRegisters() {
        brokers(2);

        for (int i = 0; i < 6; i++) {
            Node server = node("server-" + i, brokers.get(0));
            await().atMost(PATIENCE).until(() -> server.brokers().size() == 2);
            server.bind("who", Who.class, you -> "hello " + you);
        }

        Node client = node("client", brokers.get(0));
        await().atMost(PATIENCE).until(() -> homes(client).size() == 6);
        Map<String, String> homes = homes(client);
        for (Map.Entry<String, String> home : homes.entrySet()) {
            String preferred = Rendezvous.rank(home.getKey(), brokers.get(0).members(), BrokerMember::id)
                    .get(0)
                    .endpoint();
            boolean isHere = preferred.equals(brokers.get(0).endpoint().toString());
            assertThat(home.getValue()).as(home.getKey()).isEqualTo(isHere ? "here" : "broker " + preferred);
        }
        assertThat(ensemble.snapshot())
                .filteredOn(entry -> entry.key().toString().startsWith("replicas/"))
                .hasSize(6)
                .allMatch(entry -> entry.revision() == 1); // written once
    }

    @Test
    void relayedCallsGoThroughTheBrokerToWhichTheReplicaIsConnected() {
        bindings = Bindings.parse("services: {who: {route: relay}}", "test.yaml");
        brokers(2);
        for (BrokerMember home : brokers.get(0).members()) { // three servers prefer each of the two
            IntStream.range(0, 1_000)
                    .mapToObj(i -> "server-" + i)
                    .filter(name -> Rendezvous.rank(name, brokers.get(0).members(), BrokerMember::id)
                            .get(0)
                            .equals(home))
                    .limit(3)
                    .forEach(name -> serve(name, brokers.get(0)));
        }
        Node client = node("client", brokers.get(1));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(homes(client)).hasSize(6);
            assertThat(homes(client).values().stream().distinct()).hasSizeGreaterThan(1);
        });
        Who who = client.lookup("who", Who.class);

        await().atMost(PATIENCE).untilAsserted(() -> {
            TreeMap<String, Integer> answers = new TreeMap<>();
            for (int i = 0; i < 200; i++) {
                answers.merge(who.are("me"), 1, Integer::sum);
            }
            assertThat(answers).hasSize(6);
        });
    }

    @Test
    void whenABrokerLeavesNoCallFailsAndItsServersFindAnother() {
        brokers(3);
        for (int i = 0; i < 6; i++) {
            serve("server-" + i, brokers.get(0));
        }
        Node client = node("client", brokers.get(0));
        Who who = client.lookup("who", Who.class);
        await().atMost(PATIENCE)
                .until(() -> client.brokers().size() == 3 && homes(client).size() == 6);

        Thread leaves = new Thread(brokers.get(0)::close);
        leaves.start();
        int calls = 0;
        while (leaves.isAlive()) {
            assertThat(who.are("me")).endsWith(" to me");
            calls++;
        }

        assertThat(calls).isPositive();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            assertThat(client.brokers()).hasSize(2);
            assertThat(homes(client)).hasSize(6);
            assertThat(homes(client).values())
                    .doesNotContain("broker " + brokers.get(0).endpoint());
        });
    }

    @Test
    void whenABrokerLeavesRelayedCallsGoOnAtOthers() throws Exception {
        bindings = Bindings.parse("services: {who: {route: relay}}", "test.yaml");
        brokers(3);
        for (int i = 0; i < 6; i++) {
            serve("server-" + i, brokers.get(0));
        }
        Node client = node("client", brokers.get(0));
        Who who = client.lookup("who", Who.class);
        await().atMost(PATIENCE)
                .until(() -> client.brokers().size() == 3 && homes(client).size() == 6);

        Thread leaves = new Thread(brokers.get(0)::close);
        leaves.start();
        List<Future<Integer>> callers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            callers.add(threads.submit(() -> {
                int calls = 0;
                do {
                    assertThat(who.are("me")).endsWith(" to me");
                    calls++;
                } while (leaves.isAlive());
                return calls;
            }));
        }

        for (Future<Integer> caller : callers) {
            assertThat(caller.get()).isPositive();
        }
        threads.shutdown();
    }

    @Test
    void aRelayedCallWaitsForAServerThatHasGoneAndComesBackAtAnotherBroker() throws Exception {
        bindings = Bindings.parse("services: {who: {route: relay}}", "test.yaml");
        brokers(2);
        serve("server", brokers.get(0));
        Node client = node("client", brokers.get(1));
        Who who = client.lookup("who", Who.class);
        assertThat(who.are("me")).isEqualTo("server to me");

        nodes.get(0).close();
        await().atMost(PATIENCE).until(() -> homes(client).isEmpty());
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<String> call = thread.submit(() -> who.are("you"));
        serve("later", brokers.get(0));

        assertThat(call.get()).isEqualTo("later to you");
        thread.shutdown();
    }

    @Test
    void aClientKnowsTwentyReplicasOfALargeService() {
        brokers(2);
        for (int i = 0; i < 25; i++) {
            serve("server-" + i, brokers.get(i % 2));
        }
        Node client = node("client", brokers.get(0));
        await().atMost(PATIENCE).until(() -> homes(client).size() == 25);
        Who who = client.lookup("who", Who.class);

        Set<String> answers = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            answers.add(who.are("me"));
        }

        assertThat(answers).hasSizeBetween(10, 20);
    }

    @Test
    void withoutTheStoreRegistrationsAreProvisionalAndOthersSeeThemWhenItAnswers() {
        brokers(2);
        Node other = node("other", brokers.get(1));
        stores.forEach(InMemoryStore::cut);

        serve("late", brokers.get(0));

        Node client = node("client", brokers.get(0));
        stores.forEach(InMemoryStore::heal);
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            assertThat(homes(client)).containsOnlyKeys("late");
            assertThat(homes(other)).containsOnlyKeys("late");
        });
        assertThat(other.lookup("who", Who.class).are("me")).isEqualTo("late to me");
    }

    @Test
    void metricsSayHowTheStoreIsConnectedAndHowManyRegistrationsWaitForIt() throws Exception {
        brokers(1);
        int port = brokers.get(0).administer(null, 0);
        assertThat(ask(port, "/ready").statusCode()).isEqualTo(200);
        assertThat(ask(port, "/metrics").body())
                .contains("cleave_broker_members 1\n")
                .contains("cleave_broker_store{state=\"connected\"} 1\n")
                .contains("cleave_broker_provisional 0\n");

        stores.get(0).cut();
        serve("late", brokers.get(0));

        assertThat(ask(port, "/ready").statusCode()).isEqualTo(200);
        assertThat(ask(port, "/metrics").body())
                .contains("cleave_broker_store{state=\"connected\"} 0\n")
                .contains("cleave_broker_store{state=\"suspended\"} 1\n")
                .contains("cleave_broker_provisional 1\n");
    }

    private static HttpResponse<String> ask(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aBrokerWhoseSessionEndsComesBackWithAGreaterFence() {
        brokers(2);
        serve("server", brokers.get(0));
        long before = brokers.get(0).members().stream()
                .mapToLong(each -> each.fence())
                .max()
                .orElseThrow();

        stores.forEach(InMemoryStore::expire);
        stores.forEach(InMemoryStore::heal);

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(brokers.get(0).members()).hasSize(2).allMatch(each -> each.fence() > before);
            assertThat(brokers.get(1).members()).isEqualTo(brokers.get(0).members());
        });
        Node client = node("client", brokers.get(1));
        assertThat(client.lookup("who", Who.class).are("me")).isEqualTo("server to me");
    }

    @Test
    void aStoreThatGoesBackToAnOldSnapshotIsMadeRight() {
        brokers(2);
        serve("old", brokers.get(0));
        Node client = node("client", brokers.get(1));
        await().atMost(PATIENCE).until(() -> homes(client).size() == 1);
        List<Entry> snapshot = ensemble.snapshot();
        Node gone = nodes.get(0);
        serve("new", brokers.get(1));
        gone.close();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(homes(client)).containsOnlyKeys("new"));

        ensemble.restore(snapshot);

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(homes(client)).containsOnlyKeys("new");
            assertThat(ensemble.snapshot().stream().map(entry -> entry.key().toString()))
                    .contains("replicas/who/new")
                    .doesNotContain("replicas/who/old");
        });
    }

    @Test
    void anOlderProcessOfAReplicaIsRefusedAtAnotherBrokerToo() {
        brokers(2);
        Node older = node("same", brokers.get(0));
        Node newer = node("same", brokers.get(1));
        newer.bind("who", Who.class, you -> "newer");

        assertThatThrownBy(() -> older.bind("who", Who.class, you -> "older"))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("incarnation");
    }
}
