package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.NoReplicaException;
import dev.cleave.OneWay;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.testing.EffectOf;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.FaultyDatagrams;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What carries the calls of a method, as the application file says. */
@Timeout(120)
@Tag("one-jdk")
class CarriersTest {

    private static final int CALLS = 200;

    /** Counts. */
    @Remote
    interface Counter {

        int next();

        int other();

        int length(byte[] bytes);

        byte[] bytes(int length);

        @OneWay
        void tell(int number);
    }

    private static final class RealCounter implements Counter {

        private final AtomicInteger count = new AtomicInteger();
        private final Queue<Integer> told = new ConcurrentLinkedQueue<>();

        @Override
        public int next() {
            return count.incrementAndGet();
        }

        @Override
        public int other() {
            told.add(-1);
            return count.incrementAndGet();
        }

        @Override
        public int length(byte[] bytes) {
            return bytes.length;
        }

        @Override
        public byte[] bytes(int length) {
            return new byte[length];
        }

        @Override
        public void tell(int number) {
            told.add(number);
        }
    }

    /** Writes down how replicas are dialled. */
    private record Watched(Transport real, Queue<String> dialled) implements Transport {

        @Override
        public Connection connect(Endpoint endpoint, FrameHandler handler) {
            dialled.add(endpoint.scheme());
            return real.connect(endpoint, handler);
        }

        @Override
        public Listener listen(Endpoint endpoint, Acceptor acceptor) {
            return real.listen(endpoint, acceptor);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    private final Queue<String> dialled = new ConcurrentLinkedQueue<>();
    private final AtomicInteger datagrams = new AtomicInteger(); // with frames, both ways
    private final Random random = new Random(Seed.of(CarriersTest.class));
    private final RealCounter served = new RealCounter();
    private final List<Node> nodes = new ArrayList<>();
    private volatile double losses;
    private Transport transport;
    private FakeBroker broker;

    @BeforeEach
    void start() {
        transport = new Watched(
                FaultyDatagrams.transport((datagram, wire) -> {
                    if (datagram.getLong(Long.BYTES) > 0) {
                        datagrams.incrementAndGet();
                    }
                    if (random.nextDouble() < losses) {
                        datagram.release();
                    } else if (random.nextDouble() < losses) {
                        wire.accept(datagram.retainedDuplicate());
                        wire.accept(datagram);
                    } else {
                        wire.accept(datagram);
                    }
                }),
                dialled);
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
        node("server", "").bind("counter", served);
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private Node node(String name, String said) {
        return node(options(name, said).withTransport(transport));
    }

    private Node node(NodeOptions options) {
        Node node = Node.connect(options);
        nodes.add(node);
        return node;
    }

    private NodeOptions options(String name, String said) {
        String file = said.isEmpty() ? "application: test" : "services:\n  counter:\n" + said.indent(4);
        return NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse(file, "cleave.yaml"));
    }

    private Counter counter(String said) {
        Node client = node("client", said);
        dialled.clear();
        return client.lookup("counter", Counter.class);
    }

    @EffectOf("services.transport")
    @Test
    void eachMethodHasItsOwn() {
        Counter counter = counter("transport: tcp\nmethods:\n  next: {transport: udp}\n  other: {transport: unix}");

        assertThat(counter.next()).isEqualTo(1);
        assertThat(dialled).containsExactly("udp");
        assertThat(counter.other()).isEqualTo(2);
        assertThat(counter.length(new byte[3])).isEqualTo(3);
        assertThat(counter.next()).isEqualTo(3);
        assertThat(dialled).containsExactly("udp", "unix", "inet");
    }

    @Test
    void callsThatAreNotIdempotentAreMadeOnceThoughDatagramsAreLostAndDoubled() {
        losses = 0.2;
        Counter counter = counter("transport: udp");

        AtomicInteger made = new AtomicInteger();

        await().until(
                        () -> { // those that find out whether datagrams come through may be lost, too
                            assertThat(counter.next()).isEqualTo(made.incrementAndGet());
                            return datagrams.get() > 0;
                        });
        for (int i = 0; i < CALLS; i++) {
            assertThat(counter.next()).isEqualTo(made.incrementAndGet());
        }

        assertThat(served.count).hasValue(made.get());
    }

    @EffectOf("services.communication")
    @Test
    void valuesThatDoNotFitIntoADatagramGoByTcp() {
        Counter counter = counter("communication: intermittent");
        assertThat(counter.next()).isEqualTo(1);

        for (int size : new int[] {0, 1_000, 1_500, 70_000, 1 << 20, 1_200}) {
            assertThat(counter.length(new byte[size])).isEqualTo(size);
            assertThat(counter.bytes(size)).hasSize(size);
        }
        assertThat(counter.next()).isEqualTo(2);
    }

    @EffectOf("services.communication")
    @Test
    void measuredCommunicationTakesNoDatagramsAndLosesNoCall() {
        Counter counter = counter("communication: auto");

        for (int i = 1; i <= CALLS; i++) {
            assertThat(counter.next()).isEqualTo(i);
        }
        assertThat(counter.bytes(70_000)).hasSize(70_000);
        assertThat(datagrams).hasValue(0);
    }

    @Test
    void callsGoByTcpWhereNoDatagramComesThrough() {
        losses = 1;
        Counter counter = counter("transport: udp");

        assertThat(counter.next()).isEqualTo(1);
        assertThat(datagrams).hasValue(0);
    }

    @Test
    void aReplicaOfTheSameProcessIsCalledThroughMemory() {
        node(options("near", "transport: local")).bind("near", served);
        Node client = node(options("caller", "transport: local")
                .withBindings(Bindings.parse(
                        "services:\n  near: {transport: local}\n  counter: {transport: unix}", "cleave.yaml")));

        assertThat(client.lookup("near", Counter.class).next()).isEqualTo(1);
        assertThat(client.lookup("counter", Counter.class).next()).isEqualTo(2);
    }

    @Test
    void aReplicaThatCannotBeReachedSoIsNotReachedOtherwise() {
        Node client = node(options("caller", "transport: local"));

        // The server listens with a transport of its own, so it has no door in this process.
        assertThatThrownBy(() -> client.lookup("counter", Counter.class).next())
                .isInstanceOf(NoReplicaException.class)
                .hasMessageContaining("no listener there (start the peer in this process");
    }

    @Test
    void oneWayCallsGoBeforeWhatSomethingElseCarries() {
        Counter counter = counter("methods:\n  tell: {transport: udp}");

        for (int i = 0; i < 50; i++) {
            counter.tell(i);
            if (i % 10 == 9) {
                counter.other();
            }
        }

        List<Integer> expected = new ArrayList<>();
        IntStream.range(0, 50).forEach(i -> {
            expected.add(i);
            if (i % 10 == 9) {
                expected.add(-1);
            }
        });
        assertThat(served.told).containsExactlyElementsOf(expected);
    }

    @EffectOf({"services.aggregate", "services.aggregate.delay"})
    @Test
    void whatIsGatheredGoesWhenItsTimeHasCome() {
        Counter counter = counter("aggregate: {bytes: 1MiB, delay: 20ms}");

        Pending<Integer> first = Cleave.async(counter::next);
        Pending<Integer> second = Cleave.async(counter::next);

        await().until(() -> first.isDone() && second.isDone()); // nobody awaits them
        assertThat(List.of(first.await(), second.await())).containsExactlyInAnyOrder(1, 2);
    }

    @EffectOf("services.aggregate.bytes")
    @Test
    void whatIsGatheredGoesWhenThereIsEnoughOfIt() {
        Counter counter = counter("aggregate: {bytes: 200B, delay: 100ms}");

        List<Pending<Integer>> calls = IntStream.range(0, 100)
                .mapToObj(i -> Cleave.async(counter::next))
                .toList();

        assertThat(calls.stream().mapToInt(Pending::await).sum()).isEqualTo(100 * 101 / 2);
    }
}
