package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.broker.cli.Main;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that leave because somebody asks the broker for it. */
@Tag("one-jdk")
class DrainedReplicaTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Broker broker;

    /** What is served. */
    @Remote
    interface Desk {

        String who();
    }

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
    }

    private void start(String route) {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(Bindings.parse("services: {desk: {route: " + route + "}}", "cleave.yaml")));
    }

    private Node node(String name) {
        Node node =
                Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()).withName(name));
        open.push(node);
        return node;
    }

    private int drain(StringWriter out, String replica) {
        PrintWriter writer = new PrintWriter(out, true);
        return Main.run(
                writer,
                writer,
                "drain",
                replica,
                "--broker",
                "cleave://localhost:" + broker.endpoint().port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theCommandLosesNoCall(String route) throws Exception {
        start(route);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        Node leaving = node("leaving");
        leaving.bind("desk", (Desk) () -> {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "leaving";
        });
        Node client = node("client");
        Desk desk = client.lookup("desk", Desk.class);
        Pending<String> call = Cleave.async(desk::who);
        entered.await();
        node("staying").bind("desk", (Desk) () -> "staying");
        await().until(() -> client.list().get(0).replicas().size() == 2);
        StringWriter out = new StringWriter();

        assertThat(drain(out, "leaving")).as(out.toString()).isZero();

        assertThat(out.toString()).contains("leaving gets no new calls of desk");
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (int i = 0; i < 5; i++) {
                assertThat(desk.who()).isEqualTo("staying");
            }
        });
        assertThat(call.isDone()).isFalse();
        gate.countDown();
        assertThat(call.await()).isEqualTo("leaving");
        leaving.await();
    }

    @Test
    void whatIsNotThereCannotLeave() {
        start("direct");
        StringWriter out = new StringWriter();

        assertThat(drain(out, "nobody")).isEqualTo(Main.FAILED);

        assertThat(out.toString()).contains("no replica nobody at").contains("see cleave services");
        assertThatThrownBy(() -> node("asking").drain("nobody"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue())
                .hasMessageContaining("no replica nobody is registered");
    }
}
