package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Idempotent;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relayed calls that take long are sent to one more replica where that is wanted: the broker chooses another one. */
@Tag("one-jdk")
@Timeout(120)
class RelayedHedgeTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final AtomicInteger executed = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(1);
    private Broker broker;

    /** What is served. */
    @Remote
    interface Desk {

        @Idempotent(hedge = "20ms")
        String again(String word);

        String once(String word);
    }

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(Bindings.parse("services: {desk: {route: relay}}", "cleave.yaml")));
    }

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
    }

    private Node node(String name) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withBroker(broker.endpoint())
                .withCapacity(4, 1024)
                .withName(name));
        open.push(node);
        return node;
    }

    private void serve(String name, boolean waits) {
        node(name).bind("desk", new Desk() {
            @Override
            public String again(String word) {
                return once(word);
            }

            @Override
            public String once(String word) {
                executed.incrementAndGet();
                try {
                    if (waits) {
                        gate.await();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return name + word;
            }
        });
    }

    private Node client(int replicas) {
        Node client = node("client");
        await().until(() ->
                client.list().stream().anyMatch(service -> service.replicas().size() == replicas));
        return client;
    }

    @Test
    void theAnswerOfTheOtherReplicaCounts() {
        serve("slow", true);
        serve("quick", false);
        Node client = client(2);
        Desk desk = client.lookup("desk", Desk.class);

        await().until(() -> {
            assertThat(desk.again("!")).isEqualTo("quick!");
            return client.hedgesWon() > 0;
        });
    }

    @Test
    void theFirstAnswerCountsWhereBothTakeLong() {
        serve("one", true);
        serve("two", true);
        Desk desk = client(2).lookup("desk", Desk.class);
        Pending<String> plain = Cleave.async(() -> desk.once("?"));
        Pending<String> call = Cleave.async(() -> desk.again("?"));
        await().until(() -> executed.get() == 3);

        gate.countDown();

        assertThat(call.await()).isIn("one?", "two?");
        assertThat(plain.await()).isIn("one?", "two?");
        assertThat(executed).hasValue(3);
    }

    @Test
    void withoutAnotherReplicaNothingIsExecutedTwice() {
        serve("one", true);
        Node client = client(1);
        Desk desk = client.lookup("desk", Desk.class);
        Pending<String> call = Cleave.async(() -> desk.again("?"));
        Pending<String> other = Cleave.async(() -> desk.again("!"));
        await().until(() -> executed.get() == 2);

        gate.countDown();

        assertThat(call.await()).isEqualTo("one?");
        assertThat(other.await()).isEqualTo("one!");
        assertThat(executed).hasValue(2);
        assertThat(client.hedges()).isZero();
    }
}
