package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Nothing that clients put, made, got or exported is left when they have come and gone. */
@Tag("one-jdk")
class ReferencesLeftTest {

    private static final String FILE = "services: {relayed: {route: relay}}";

    private Broker broker;
    private Node server;

    /** Gives references and takes them. */
    @Remote
    interface Pool {

        Ref<double[]> put(double[] values);

        double sum(Ref<double[]> values);

        Listener listen(Listener listener);
    }

    /** Is called back. */
    @Remote
    interface Listener {

        int heard(int what);
    }

    private record RealPool(Node node) implements Pool {

        @Override
        public Ref<double[]> put(double[] values) {
            return node.put(values);
        }

        @Override
        public double sum(Ref<double[]> values) {
            return values.get()[0];
        }

        @Override
        public Listener listen(Listener listener) {
            return what -> listener.heard(what) + 1;
        }
    }

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(Bindings.parse(FILE, "cleave.yaml")));
        server = node("server");
        server.bind("direct", new RealPool(server));
        server.bind("relayed", new RealPool(server));
    }

    @AfterEach
    void stop() {
        server.close();
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
    }

    private Node node(String name) {
        return Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBindings(Bindings.parse(FILE, "cleave.yaml"))
                .withBroker(broker.endpoint()));
    }

    @Test
    void afterSomeClients() {
        comeAndGo(10);
    }

    @EnabledIfSystemProperty(named = "cleave.full", matches = "true")
    @Tag("one-jdk")
    @Test
    void afterManyClients() {
        comeAndGo(10_000);
    }

    @Test
    void aNodeThatHadReferencesIsCollectedOnceItIsClosed() {
        List<WeakReference<Node>> closed = List.of(closedClient("direct"), closedClient("relayed"));
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    System.gc();
                    return closed.stream().allMatch(node -> node.get() == null);
                });
    }

    private WeakReference<Node> closedClient(String service) {
        try (Node client = node("short-lived")) {
            use(client, client.lookup(service, Pool.class), 1);
            return new WeakReference<>(client);
        }
    }

    private void comeAndGo(int clients) {
        for (int i = 0; i < clients; i++) {
            try (Node client = node("client-" + i)) {
                use(client, client.lookup(i % 2 == 0 ? "direct" : "relayed", Pool.class), i);
            }
        }
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    System.gc();
                    return server.exportedObjects() == 0;
                });
    }

    private static void use(Node client, Pool pool, int number) {
        Ref<double[]> made = client.create(double[].class, 3, pool);
        made.write(0, new double[] {number});
        assertThat(pool.sum(made)).isEqualTo(number);
        Ref<double[]> put = pool.put(new double[] {number + 1});
        assertThat(pool.sum(put)).isEqualTo(number + 1);
        assertThat(pool.sum(client.put(new double[] {7}))).isEqualTo(7);
        Listener echo = pool.listen(what -> what * 2);
        assertThat(echo.heard(number)).isEqualTo(2 * number + 1);
        if (number % 3 == 0) {
            put.free();
        }
    }
}
