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
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Services;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of relayed calls when the broker hears nothing of their replica, which is not given up yet. */
@Tag("one-jdk")
class RelayedSuspicionTest {

    private static final String ROUTE = "services: {desk: {route: relay}}, ";
    private static final String PATIENT = ROUTE + "pings: {every: 1s, suspect: 60s, down: 120s}";
    private static final String SUSPECT_SOON = ROUTE + "pings: {every: 20ms, suspect: 100ms, down: 120s}";

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CuttingTransport deaf = new CuttingTransport(NettyTransport.create());
    private Broker broker;

    /** What is served. */
    @Remote
    interface Desk {

        @Idempotent
        String again();

        String once();
    }

    /** Serves it, and can be made to wait. */
    private static final class NamedDesk implements Desk {

        private final String name;
        private final AtomicInteger executed = new AtomicInteger();
        private final CountDownLatch entered = new CountDownLatch(2);
        private volatile CountDownLatch gate = new CountDownLatch(0);

        private NamedDesk(String name) {
            this.name = name;
        }

        @Override
        public String again() {
            return once();
        }

        @Override
        public String once() {
            executed.incrementAndGet();
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return name;
        }
    }

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(Bindings.parse(block(SUSPECT_SOON), "cleave.yaml")));
    }

    @AfterEach
    void stop() throws Exception {
        deaf.hears(true);
        while (!open.isEmpty()) {
            open.pop().close();
        }
        deaf.close();
        broker.close();
    }

    private static String block(String file) {
        return file.replace(", pings", "\npings");
    }

    private Node node(NodeOptions options) {
        Node node = Node.connect(
                options.withBroker(broker.endpoint()).withBindings(Bindings.parse(block(PATIENT), "cleave.yaml")));
        open.push(node);
        return node;
    }

    private NamedDesk serve(NodeOptions options, String name) {
        NamedDesk desk = new NamedDesk(name);
        node(options.withName(name)).bind("desk", desk);
        return desk;
    }

    private void awaitStates(Node asking, ReplicaState... states) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(asking.list().stream()
                        .map(Services.Service::replicas)
                        .flatMap(List::stream)
                        .map(Services.Replica::state))
                .containsExactlyInAnyOrder(states));
    }

    @Test
    void idempotentCallsGoToAnotherReplicaAndPlainOnesWait() {
        NamedDesk silent = serve(NodeOptions.DEFAULT.withTransport(deaf), "silent");
        silent.gate = new CountDownLatch(1);
        Node client = node(NodeOptions.DEFAULT.withName("client"));
        Desk desk = client.lookup("desk", Desk.class);
        awaitStates(client, ReplicaState.UP);
        Pending<String> idempotent = Cleave.async(desk::again);
        Pending<String> plain = Cleave.async(desk::once);
        await().until(() -> silent.entered.getCount() == 0);
        NamedDesk sound = serve(NodeOptions.DEFAULT, "sound");
        awaitStates(client, ReplicaState.UP, ReplicaState.UP);

        deaf.hears(false);

        assertThat(idempotent.await()).isEqualTo("sound");
        awaitStates(client, ReplicaState.UP, ReplicaState.SUSPECT);
        assertThat(plain.isDone()).isFalse();
        assertThat(sound.executed).hasValue(1);

        silent.gate.countDown();
        deaf.hears(true);
        assertThat(plain.await()).isEqualTo("silent");
        assertThat(silent.executed).hasValue(2);
    }
}
