package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.Later;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.ChunkGate;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arguments, results and fields that are used while they arrive, through a broker, which decodes none of them. */
@Tag("one-jdk")
class RelayedLaterTest {

    private static final int MANY = 500_000; // ints: 2 MB

    private static final Bindings FILE = Bindings.parse(
            "services: {press: {route: relay, deadline: 20s}, through: {route: relay, deadline: 20s}}", "cleave.yaml");

    private final List<Node> nodes = new ArrayList<>();
    private final RealPress last = new RealPress(null);
    private ChunkGate gate;
    private Broker broker;
    private Node server;
    private Node client;
    private Press press;
    private Press through;

    record Line(Later.Value<int[]> cells) {}

    /** Makes, sums and passes on. */
    @Remote
    interface Press {

        Later.Value<int[]> ones(int count);

        @Later
        int[] plain(int count);

        long sum(Later.Value<int[]> values);

        long lines(List<Line> lines);

        Later.Value<int[]> same(Later.Value<int[]> values);

        Later.Value<int[]> sameOfNext(Later.Value<int[]> values);

        int small(int value);
    }

    private static final class RealPress implements Press {

        private final Press next;
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();

        private RealPress(Press next) {
            this.next = next;
        }

        @Override
        public Later.Value<int[]> ones(int count) {
            return Later.Value.of(plain(count));
        }

        @Override
        public int[] plain(int count) {
            int[] ones = new int[count];
            Arrays.fill(ones, 1);
            return ones;
        }

        @Override
        public long sum(Later.Value<int[]> values) {
            return lines(List.of(new Line(values)));
        }

        @Override
        public long lines(List<Line> lines) {
            begun.incrementAndGet();
            try {
                return lines.stream()
                        .mapToLong(line -> Arrays.stream(line.cells().get()).sum())
                        .sum();
            } finally {
                ended.incrementAndGet();
            }
        }

        @Override
        public Later.Value<int[]> same(Later.Value<int[]> values) {
            return values;
        }

        @Override
        public Later.Value<int[]> sameOfNext(Later.Value<int[]> values) {
            return next.same(values);
        }

        @Override
        public int small(int value) {
            return value;
        }
    }

    @BeforeEach
    void start() {
        gate = new ChunkGate(NettyTransport.create());
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(FILE));
        server = node("server");
        server.bind("press", last);
        Node middle = node("middle");
        middle.bind("through", new RealPress(middle.lookup("press", Press.class)));
        connect();
    }

    private void connect() {
        client = node("client" + nodes.size());
        press = client.lookup("press", Press.class);
        through = client.lookup("through", Press.class);
    }

    @AfterEach
    void close() {
        gate.open();
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
        gate.close();
    }

    private Node node(String name) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBindings(FILE)
                .withTransport(gate)
                .withArriving(64 << 20)
                .withBroker(broker.endpoint()));
        nodes.add(node);
        return node;
    }

    @Test
    void aMethodBeginsBeforeItsArgumentsAndTheirFieldsAreThere() {
        gate.hold(200_000);
        Pending<Long> sum = Cleave.async(() -> press.sum(last.ones(MANY)));
        Pending<Long> lines = Cleave.async(() -> press.lines(List.of(new Line(last.ones(MANY)))));
        await().atMost(Duration.ofSeconds(60)).until(() -> last.begun.get() == 2);

        assertThat(press.small(5)).isEqualTo(5);
        assertThat(last.ended).hasValue(0);
        gate.open();

        assertThat(sum.await()).isEqualTo(MANY);
        assertThat(lines.await()).isEqualTo(MANY);
    }

    @Test
    void aResultIsThereBeforeItIsWhole() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);

        assertThat(ones.await(1_000)).isBetween(1_001, 300_000 / 4);
        assertThat(press.small(5)).isEqualTo(5);
        gate.open();

        assertThat(Arrays.stream(ones.get()).sum()).isEqualTo(MANY);
        assertThat(press.plain(MANY)).isEqualTo(ones.get());
    }

    @Test
    void servicesPassOnAsItComes() {
        gate.hold(400_000);
        Later.Value<int[]> far = through.sameOfNext(press.ones(MANY));
        Pending<Long> sum = Cleave.async(() -> press.sum(far));
        await().atMost(Duration.ofSeconds(60)).until(() -> last.begun.get() == 1);

        assertThat(far.isHere()).isFalse();
        gate.open();

        assertThat(sum.await()).isEqualTo(MANY);
        assertThat(Arrays.stream(far.get()).sum()).isEqualTo(MANY);
    }

    @Test
    void whereverAPipelineIsCutEverybodyFails() {
        for (long at = 0; at < 4L * 4 * 100_000; at += 110_000) {
            gate.cut(at);

            Throwable thrown =
                    catchThrowable(() -> through.sameOfNext(last.ones(100_000)).get());

            assertThat(thrown)
                    .as("cut at %d", at)
                    .isInstanceOf(CallException.class)
                    .isNotInstanceOf(DeadlineException.class);
            gate.open();
            long cutAt = at;
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(catchThrowable(
                            () -> through.sameOfNext(last.ones(10)).get()))
                    .as("after the cut at %d", cutAt)
                    .isNull());
        }
        assertThat(through.sameOfNext(last.ones(100_000)).get()).hasSize(100_000);
    }

    @Test
    void aServerThatLeavesAsPlannedSendsItsResultsFirst() throws InterruptedException {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(4 * MANY); // more than is granted at a time
        Thread leaving = new Thread(server::drain);
        leaving.start();

        leaving.join(600); // more than it waits where nothing runs
        assertThat(leaving.isAlive()).isTrue();
        gate.open();

        assertThat(Arrays.stream(ones.get()).sum()).isEqualTo(4 * MANY);
        leaving.join(20_000);
        assertThat(leaving.isAlive()).isFalse();
    }

    @Test
    void theServerIsGoneWhileItsResultArrives() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);
        Pending<Long> sum = Cleave.async(() -> through.sum(ones));
        server.close();

        assertThatThrownBy(ones::get).isInstanceOf(ConnectionLostException.class);
        assertThat(catchThrowable(sum::await)).isInstanceOf(CallException.class);
        assertThat(through.small(3)).isEqualTo(3);
    }

    @Test
    void theCallerIsGoneWhileItsArgumentIsPassedOn() {
        gate.hold(300_000);
        Later.Value<int[]> far = through.sameOfNext(last.ones(MANY));
        client.close();

        assertThat(catchThrowable(far::get)).isInstanceOf(CallException.class);
        connect();
        assertThat(through.small(3)).isEqualTo(3);
    }
}
