package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Refusals;
import dev.cleave.testing.ChunkGate;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Peers that announce large values and do not send them. */
@Tag("one-jdk")
class StalledPeersTest {

    private static final int BOUND = 16 << 20;
    private static final int ANNOUNCED = 3 << 20;
    private static final int IDLE = 12; // together more than twice the bound
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void doNotKeepTheValuesOfAnotherOut() {
        NettyTransport transport = NettyTransport.create();
        ChunkGate gate = new ChunkGate(NettyTransport.create());
        gate.hold(0);
        List<Node> nodes = new ArrayList<>();
        long refusedBefore = Refusals.of("arriving.bytes");
        try (FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0))) {
            NodeOptions options = NodeOptions.DEFAULT.withBroker(broker.endpoint());
            Node server = Node.connect(options.withName("server").withArriving(BOUND));
            nodes.add(server);
            server.bind("shop", new RealShop("one"));
            List<Pending<Long>> stalled = new ArrayList<>();
            byte[] announced = new byte[ANNOUNCED];
            for (int i = 0; i < IDLE; i++) {
                Node idle = Node.connect(options.withTransport(gate));
                nodes.add(idle);
                Shop shop = idle.lookup("shop", Shop.class);
                stalled.add(Cleave.async(() -> shop.sum(announced)));
            }
            await().atMost(PATIENCE).until(() -> server.arrivingBytes() > BOUND - ANNOUNCED);
            assertThat(MemoryBounds.ARRIVING.used()).isGreaterThanOrEqualTo(server.arrivingBytes());

            Node honest = Node.connect(options);
            nodes.add(honest);
            Shop shop = honest.lookup("shop", Shop.class);
            assertThat(shop.add(1, 2)).isEqualTo(3);
            byte[] ones = new byte[ANNOUNCED];
            Arrays.fill(ones, (byte) 1);
            await().atMost(PATIENCE).ignoreException(OverloadException.class).untilAsserted(() -> {
                assertThat(server.arrivingBytes()).isLessThanOrEqualTo(BOUND);
                assertThat(shop.sum(ones)).isEqualTo(ANNOUNCED);
            });

            assertThat(Refusals.of("arriving.bytes")).isGreaterThan(refusedBefore);
            assertThat(stalled).anySatisfy(call -> assertThat(call.isDone()).isTrue());
            nodes.forEach(Node::close);
        } finally {
            gate.close();
            transport.close();
        }
    }
}
