package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Large values through a broker. */
@Tag("one-jdk")
class RelayedBlocksTest {

    private static final Bindings FILE =
            Bindings.parse("services: {store: {route: relay}, small: {route: relay}}", "cleave.yaml");

    private final List<Node> nodes = new ArrayList<>();
    private Broker broker;
    private Store store;

    /** Gets a part of something large, when it is called back. */
    @Remote
    interface Reader {

        byte[] read(byte[] part);
    }

    /** What the nodes serve. */
    @Remote
    interface Store {

        double[] echo(double[] values);

        int small(int value);

        byte[] through(Reader reader, byte[] bytes);
    }

    private static final class RealStore implements Store {

        @Override
        public double[] echo(double[] values) {
            return values;
        }

        @Override
        public int small(int value) {
            return value;
        }

        @Override
        public byte[] through(Reader reader, byte[] bytes) {
            return reader.read(bytes);
        }
    }

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(FILE));
        node("server", 64 << 20).bind("store", new RealStore());
        store = node("client", 64 << 20).lookup("store", Store.class);
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
    }

    private Node node(String name, long arriving) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBindings(FILE)
                .withArriving(arriving)
                .withBroker(broker.endpoint()));
        nodes.add(node);
        return node;
    }

    @Test
    void largeValuesArriveWholeBothWays() {
        long seed = Seed.of(RelayedBlocksTest.class);
        double[] values = new Random(seed).doubles(1 << 20).toArray();

        double[] came = store.echo(values);

        assertThat(Arrays.equals(came, values)).as("seed %d", seed).isTrue();
    }

    @Test
    void largeValuesGoThroughCallbacks() {
        byte[] bytes = new byte[2 << 20];
        new Random(3).nextBytes(bytes);

        assertThat(store.through(part -> part, bytes)).isEqualTo(bytes);
    }

    @Test
    void manyAtATimeShareTheWayWithSmallCalls() {
        List<Pending<double[]>> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            double[] values = new double[500_000];
            Arrays.fill(values, i);
            sent.add(Cleave.async(() -> store.echo(values)));
        }

        for (int i = 0; i < 200; i++) {
            assertThat(store.small(i)).isEqualTo(i);
        }
        for (int i = 0; i < 6; i++) {
            double[] came = sent.get(i).await();
            assertThat(came).hasSize(500_000);
            assertThat(came[0]).isEqualTo(i);
            assertThat(came[came.length - 1]).isEqualTo(i);
        }
    }

    @Test
    void whatTheServerRefusesNeverComesAndWhatIsGivenUpLeavesNothing() {
        node("narrow", 1 << 20).bind("small", new RealStore());
        Store narrow = nodes.get(1).lookup("small", Store.class);

        assertThat(catchThrowable(() -> narrow.echo(new double[1 << 20])))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue())
                .isNotInstanceOf(OverloadException.class);
        Pending<double[]> call = Cleave.async(() -> store.echo(new double[4 << 20]));
        call.cancel();
        assertThat(catchThrowable(call::await)).isInstanceOf(CallException.class);
        assertThat(narrow.small(3)).isEqualTo(3);
        assertThat(store.small(3)).isEqualTo(3);
    }

    @Test
    void theServerDiesWhileAnArgumentOrAResultIsOnItsWay() {
        for (int round = 0; round < 3; round++) {
            Node dying = node("dying" + round, 64 << 20);
            dying.bind("small", new RealStore());
            Store dies = nodes.get(1).lookup("small", Store.class);
            Pending<double[]> call = Cleave.async(() -> dies.echo(new double[1 << 20]));
            for (int i = 0; i < 20 * round; i++) {
                assertThat(store.small(i)).isEqualTo(i); // a round later each time
            }

            dying.close();

            Throwable thrown = catchThrowable(call::await);
            assertThat(thrown == null || thrown instanceof CallException).isTrue();
        }
    }
}
