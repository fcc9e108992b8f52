package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import org.junit.jupiter.api.Test;

class ExposureTest {

    @Test
    void aServingNodeListensBeyondLoopbackOnlyIfToldSo() {
        NettyTransport transport = NettyTransport.create();
        try (FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0))) {
            NodeOptions open = NodeOptions.DEFAULT.withBroker(broker.endpoint()).withListenHost("0.0.0.0");
            try (Node node = Node.connect(open)) {
                assertThatThrownBy(() -> node.bind("shop", new RealShop("one")))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("expected: localhost, or a word that anybody may reach it");
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
