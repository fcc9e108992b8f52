package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.ref.References;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.Names;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ExposureTest {

    @Test
    void namesThatSteerATerminalAreRefused() {
        NettyTransport transport = NettyTransport.create();
        try (FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
                Node node = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            for (String name : List.of("a\r\nb", "\u001b[2J", "a\u202eb", "")) {
                assertThatThrownBy(() -> NodeOptions.DEFAULT.withName(name))
                        .isInstanceOf(IllegalArgumentException.class)
                        .message()
                        .matches(Names::isPlain);
                List<ThrowingCallable> uses = List.of(
                        () -> node.bind(name, new RealShop("one")),
                        () -> node.bind(References.MARK + name + "\n", new RealShop("one")),
                        () -> node.lookup(name, Shop.class),
                        () -> node.expect(name, Shop.class));
                for (ThrowingCallable use : uses) {
                    assertThatThrownBy(use)
                            .isInstanceOf(IllegalArgumentException.class)
                            .message()
                            .matches(Names::isPlain);
                }
            }
        } finally {
            transport.close();
        }
    }

    @Test
    void aServingNodeListensBeyondLoopbackOnlyIfToldSo() {
        NettyTransport transport = NettyTransport.create();
        try (FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0))) {
            NodeOptions open = NodeOptions.DEFAULT.withBroker(broker.endpoint()).withListenHost("0.0.0.0");
            try (Node node = Node.connect(open)) {
                assertThatThrownBy(() -> node.bind("shop", new RealShop("one")))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(
                                "expected: localhost, or keys", "permission for peers without encryption and identity");
                assertThat(broker.replicas("shop")).isZero();
            }
            try (Node node = Node.connect(open.withInsecure())) {
                assertThatCode(() -> node.bind("shop", new RealShop("one"))).doesNotThrowAnyException();
            }
        } finally {
            transport.close();
        }
    }
}
