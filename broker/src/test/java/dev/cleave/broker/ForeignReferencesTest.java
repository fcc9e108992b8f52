package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The time that a use of a reference takes which a third node has passed on: over the broker at most twice that of the direct way,
 * as the way has one hop more. Each hop takes 20 ms there and back.
 */
@Tag("one-jdk")
@Timeout(300)
class ForeignReferencesTest {

    private static final Duration WAY = Duration.ofMillis(10); // there, and the same back
    private static final Duration SLACK = Duration.ofMillis(10); // of threads that wake up late
    private static final int USES = 15; // the shortest counts
    private static final String FILE = "services: {relayed: {route: relay}}";

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final SystemTimer precise = opened(SystemTimer.precise("link"));

    /** Puts values into its node. */
    @Remote
    interface Owner {

        Ref<double[]> put(double[] values);
    }

    /** Uses what it was given. */
    @Remote
    interface Holder {

        void keep(Ref<double[]> values);
    }

    /** Keeps the last reference. */
    private static final class RealHolder implements Holder {

        private volatile Ref<double[]> kept;

        @Override
        public void keep(Ref<double[]> values) {
            kept = values;
        }

        /** The shortest time of some uses, in nanoseconds. */
        private long shortestUse() {
            Ref<double[]> values = kept;
            long shortest = Long.MAX_VALUE;
            for (int i = 0; i < USES; i++) {
                long begin = System.nanoTime();
                assertThat(values.read(1, 3)).containsExactly(2, 3);
                shortest = Math.min(shortest, System.nanoTime() - begin);
            }
            return shortest;
        }
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.removeLast().close();
        }
    }

    private <T extends AutoCloseable> T opened(T what) {
        open.add(what);
        return what;
    }

    /** A node that is a hop away from all others. */
    private Node far(Broker broker, String name) {
        LinkProfile hop = new LinkProfile(WAY, 0, Duration.ZERO);
        return node(broker, name, opened(new LinkTransport(NettyTransport.create(), hop, precise)));
    }

    private Node node(Broker broker, String name, Transport transport) {
        return opened(Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBindings(Bindings.parse(FILE, "cleave.yaml"))
                .withBroker(broker.endpoint())
                .withTransport(transport)));
    }

    @Test
    void overTheRelayItCostsAtMostTwiceTheDirectOne() {
        Broker broker = opened(
                Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(Bindings.parse(FILE, "cleave.yaml"))));
        Node near = node(broker, "near", opened(NettyTransport.create()));
        near.bind("direct", (Owner) near::put);
        Node behind = far(broker, "behind");
        behind.bind("relayed", (Owner) behind::put);
        RealHolder holder = new RealHolder();
        far(broker, "holder").bind("holder", holder);
        Node passing = far(broker, "passing");
        Holder there = passing.lookup("holder", Holder.class);

        there.keep(passing.lookup("direct", Owner.class).put(new double[] {1, 2, 3}));
        long direct = holder.shortestUse();
        there.keep(passing.lookup("relayed", Owner.class).put(new double[] {1, 2, 3}));
        long relayed = holder.shortestUse();

        assertThat(direct).isGreaterThanOrEqualTo(2 * WAY.toNanos()); // the link is what is measured
        assertThat(relayed)
                .as("relayed over direct, ms: %d over %d", relayed / 1_000_000, direct / 1_000_000)
                .isLessThanOrEqualTo(2 * direct + SLACK.toNanos());
    }
}
