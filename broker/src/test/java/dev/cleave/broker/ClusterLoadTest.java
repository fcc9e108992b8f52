package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.replica.Rendezvous;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Load;
import dev.cleave.wire.Services;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads of replicas that are connected to different brokers: where calls of a client go while some replicas are busy. */
@Tag("one-jdk")
final class ClusterLoadTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final ExecutorService notifier = Executors.newSingleThreadExecutor();
    private final List<InMemoryStore> stores = new ArrayList<>();
    private final List<Broker> brokers = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<GatedWork> gates = new ArrayList<>();
    private Bindings bindings = Bindings.NONE;

    @AfterEach
    void stop() {
        gates.forEach(each -> each.gate.release(100_000));
        nodes.forEach(Node::close);
        stores.forEach(InMemoryStore::close); // so that no broker waits for others that are closed next
        brokers.parallelStream().forEach(Broker::close); // each waits until relayed calls have ended
        notifier.shutdown();
    }

    private void twoBrokers(String route, String balance) {
        bindings = Bindings.parse(
                "services: {work: {route: " + route + ", workers: 1, balance: \"" + balance + "\"}}", "cleave.yaml");
        for (int i = 0; i < 2; i++) {
            InMemoryStore store = ensemble.open(notifier);
            stores.add(store);
            brokers.add(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                    .with(bindings)
                    .with(new BrokerOptions.Membership(store, null))));
        }
        await().atMost(PATIENCE)
                .until(() -> brokers.stream().allMatch(each -> each.members().size() == 2));
    }

    /** A node that prefers one of the brokers, and is connected to it from the beginning. */
    private Node nodeAt(int broker, String name) {
        Endpoint at = brokers.get(broker).endpoint();
        String own = IntStream.range(0, 1_000)
                .mapToObj(i -> name + '-' + i)
                .filter(each -> at.toString()
                        .equals(Rendezvous.rank(each, brokers.get(0).members(), BrokerMember::id)
                                .get(0)
                                .endpoint()))
                .findFirst()
                .orElseThrow();
        Node node =
                Node.connect(NodeOptions.DEFAULT.withName(own).withBroker(at).withBindings(bindings));
        nodes.add(node);
        return node;
    }

    private GatedWork serveAt(int broker, String name) {
        GatedWork gated = new GatedWork();
        gates.add(gated);
        nodeAt(broker, name).bind("work", gated);
        return gated;
    }

    private static Map<String, Services.Replica> replicas(Node node) {
        Map<String, Services.Replica> all = new TreeMap<>();
        node.list().forEach(service -> service.replicas()
                .forEach(replica -> all.put(replica.name().replaceAll("-.*", ""), replica)));
        return all;
    }

    private static List<Pending<Integer>> send(Work work, int first, int count) {
        return IntStream.range(first, first + count)
                .<Pending<Integer>>mapToObj(i -> Cleave.async(() -> work.run(i)))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"direct, demand(1)", "direct, least-loaded", "relay, demand(1)", "relay, least-loaded"})
    void callsOfAClientGoToTheIdleReplicaWhicheverBrokerItIsConnectedTo(String route, String balance) {
        twoBrokers(route, balance);
        GatedWork busy = serveAt(0, "busy");
        GatedWork idle = serveAt(1, "idle");
        Node client = nodeAt(0, "client");
        await().atMost(PATIENCE).until(() -> replicas(client).size() == 2);
        await().atMost(PATIENCE).until(() -> replicas(client).get("idle").isElsewhere());
        Work work = client.lookup("work", Work.class);
        idle.gate.release(100_000);

        List<Pending<Integer>> sent = send(work, 0, 200); // the busy one never ends its first call by itself

        await().atMost(Duration.ofSeconds(20)).until(() -> idle.begun.size() >= 196);
        busy.gate.release(100_000);
        assertThat(sent.stream().map(Pending::await))
                .containsExactlyElementsOf(
                        IntStream.range(0, 200).map(i -> i * 10).boxed().toList());
        assertThat(idle.begun).doesNotContainAnyElementsOf(busy.begun).doesNotHaveDuplicates();
    }

    @Test
    void listsAndMetricsShowLoadsOfServicesForWhichACallFoundNoRoom() throws Exception {
        twoBrokers("relay", "demand(1)");
        GatedWork here = serveAt(0, "here");
        GatedWork there = serveAt(1, "there");
        Node client = nodeAt(0, "client");
        Node other = nodeAt(1, "other");
        await().atMost(PATIENCE)
                .until(() -> replicas(client).size() == 2 && replicas(other).size() == 2);
        assertThat(replicas(client).get("there").load()).isEqualTo(Load.NONE);
        Work work = client.lookup("work", Work.class);

        List<Pending<Integer>> sent = send(work, 0, 8); // two run, and the others wait

        // The client may send by way of either broker: the one where calls wait asks the other one for loads.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(isBusy(client, "there") || isBusy(other, "here"))
                .as(
                        "told: %s and %s; begun here %s, there %s",
                        replicas(client), replicas(other), here.begun, there.begun)
                .isTrue());
        int asking = isBusy(client, "there") ? 0 : 1;
        assertThat(metrics(asking)).contains("cleave_broker_loads_known 1\n");
        here.gate.release(100_000);
        there.gate.release(100_000);
        assertThat(sent.stream().map(Pending::await)).hasSize(8);
        assertThat(metrics(1 - asking))
                .contains("cleave_broker_loads_asked 1\n")
                .doesNotContain("loads_told_total 0\n");
    }

    private static boolean isBusy(Node asks, String replica) {
        Services.Replica told = replicas(asks).get(replica);
        return told.isElsewhere() && told.load().running() > 0;
    }

    private String metrics(int broker) throws Exception {
        int port = brokers.get(broker).administer(null, 0);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
