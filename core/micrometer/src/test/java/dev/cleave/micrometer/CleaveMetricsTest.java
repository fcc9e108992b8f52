package dev.cleave.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.metrics.MetricValue;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CleaveMetricsTest {

    /** Adds. */
    @Remote
    interface Adder {

        int add(int a, int b);
    }

    @Test
    void theValuesOfANodeAreMeters() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (NettyTransport transport = NettyTransport.create();
                FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0))) {
            NodeOptions options =
                    NodeOptions.DEFAULT.withBroker(broker.endpoint()).withTransport(transport);
            try (Node server = Node.connect(options.withName("server").withCapacity(3, 8));
                    Node client = Node.connect(options.withName("client"))) {
                server.bind("adder", (Adder) Integer::sum);
                try (CleaveMetrics metrics = new CleaveMetrics(server)) {
                    metrics.bindTo(registry);
                    Adder adder = client.lookup("adder", Adder.class);
                    for (int i = 0; i < 5; i++) {
                        assertThat(adder.add(i, 1)).isEqualTo(i + 1);
                    }

                    await().until(() -> registry.get("cleave.server.calls")
                                    .tag("node", "server")
                                    .functionCounter()
                                    .count()
                            == 5);
                    assertThat(registry.get("cleave.ready").gauge().value()).isEqualTo(1);
                    assertThat(registry.get("cleave.server.workers").gauge().value())
                            .isEqualTo(3);
                    assertThat(registry.get("cleave.bound.limit").gauges()).isNotEmpty();
                }
                assertThat(registry.getMeters()).isEmpty();
            }
        }
    }

    @Test
    void oneLookReadsTheSourceOnceAndWhatComesLaterIsBoundAgain() {
        AtomicInteger reads = new AtomicInteger();
        MeterRegistry registry = new SimpleMeterRegistry();
        CleaveMetrics metrics = new CleaveMetrics(
                () -> reads.incrementAndGet() < 3
                        ? List.of(MetricValue.gauge("a", "A.", 1), MetricValue.counter("b", "B.", 2))
                        : List.of(MetricValue.gauge("a", "A.", 1).with("k", "v"), MetricValue.counter("b", "B.", 2)),
                Tags.empty());
        metrics.bindTo(registry);

        assertThat(registry.get("a").gauge().value()).isEqualTo(1);
        assertThat(registry.get("b").functionCounter().count()).isEqualTo(2);
        assertThat(reads).hasValue(2);

        metrics.bindTo(registry);
        assertThat(registry.get("a").tag("k", "v").gauge()).isNotNull();
    }
}
