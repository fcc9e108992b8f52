package dev.cleave.broker;

import static org.awaitility.Awaitility.await;

import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.testing.LeakCheckingAllocator;
import dev.cleave.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A broker, the nodes that a test connects to it, and the proof at the end that nothing is left of them. */
final class BrokerUnderTest implements AutoCloseable {

    final Broker broker;
    private final LeakCheckingAllocator leaks = new LeakCheckingAllocator();
    private final Transport transport;
    private final List<TestNode> nodes = new ArrayList<>();

    private BrokerUnderTest(Way way, UnaryOperator<BrokerOptions> options) {
        transport = way.open(leaks.allocator());
        broker = Broker.start(options.apply(BrokerOptions.at(way.endpoint()).with(transport)));
    }

    static BrokerUnderTest start(Way way) {
        return start(way, options -> options);
    }

    static BrokerUnderTest start(Way way, UnaryOperator<BrokerOptions> options) {
        return new BrokerUnderTest(way, options);
    }

    static BrokerUnderTest start(Way way, Timer timer, String bindings) {
        return start(way, options -> options.with(timer).with(Bindings.parse(bindings, "cleave.yaml")));
    }

    TestNode node(String name) {
        TestNode node = TestNode.connect(transport, broker.endpoint(), name);
        nodes.add(node);
        return node;
    }

    TestNode echo(String replica) {
        return node(replica).echoing().register("echo", replica, 1);
    }

    Transport transport() {
        return transport;
    }

    /** Everybody leaves; then no table of the broker has an entry, and no buffer is left. */
    @Override
    public void close() {
        nodes.forEach(TestNode::close);
        await().alias("broker is empty").atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
        transport.close();
        leaks.assertNoLeaks();
    }
}
