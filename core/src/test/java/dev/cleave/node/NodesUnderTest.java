package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Nodes around a broker, over any transport; afterwards nothing may be pending, and no buffer in use. */
abstract class NodesUnderTest {

    private final List<Node> nodes = new ArrayList<>();
    private Transport transport;
    FakeBroker broker;
    Node client;

    abstract Transport transport();

    abstract Endpoint door();

    @BeforeEach
    void start() {
        transport = transport();
        broker = FakeBroker.start(transport, door());
    }

    @AfterEach
    void close() {
        if (client != null) {
            assertThat(client.pendingCalls()).isZero();
        }
        nodes.forEach(Node::close);
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    Node node(NodeOptions options) {
        Node node = Node.connect(
                options.withBroker(broker.endpoint()).withTransport(transport).withPatience(Duration.ZERO));
        nodes.add(node);
        return node;
    }
}
