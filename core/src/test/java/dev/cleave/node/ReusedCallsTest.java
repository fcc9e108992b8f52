package dev.cleave.node;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call object that stands for one call after the other gets no answer but its own, whatever became of those before. */
@Tag("one-jdk")
@Timeout(120)
class ReusedCallsTest {

    private static final int THREADS = 4;
    private static final int CALLS = 1_500;
    private static final int BETWEEN_CUTS = 150;

    /** Answers with what it is given. */
    @Remote
    interface Echoes {

        long inline(long value);

        @Pure
        long pure(long value);

        double worker(double value);

        /** The deadline passes before or after the answer is sent, as it comes. */
        @Pure
        int late(int value, int micros);

        byte[] bytes(int length);
    }

    private static final class RealEchoes implements Echoes {

        @Override
        @Inline
        public long inline(long value) {
            return value;
        }

        @Override
        public long pure(long value) {
            return value;
        }

        @Override
        public double worker(double value) {
            return value;
        }

        @Override
        public int late(int value, int micros) {
            LockSupport.parkNanos(micros * 1000L);
            return value;
        }

        @Override
        public byte[] bytes(int length) {
            return new byte[length];
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private NettyTransport ofServers;
    private CuttingTransport ofClient;
    private FakeBroker broker;
    private Node client;
    private Echoes echoes;

    @BeforeEach
    void start() {
        ofServers = NettyTransport.create();
        ofClient = new CuttingTransport(NettyTransport.create());
        broker = FakeBroker.start(ofServers, Endpoint.tcp("localhost", 0));
        Node server = Node.connect(NodeOptions.DEFAULT
                .withName("server")
                .withBroker(broker.endpoint())
                .withCapacity(THREADS, 1024)
                .withTransport(ofServers));
        nodes.add(server);
        server.bind("echoes", new RealEchoes());
        client = Node.connect(NodeOptions.DEFAULT
                .withName("client")
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse("services: {echoes: {methods: {late: {deadline: 4ms}}}}", "cleave.yaml"))
                .withTransport(ofClient));
        nodes.add(client);
        echoes = client.lookup("echoes", Echoes.class);
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
        ofServers.close();
        ofClient.close();
        Buffers.assertNoneInUse();
    }

    @Test
    void aStubKeepsNoResultAlive() {
        WeakReference<byte[]> left = new WeakReference<>(echoes.bytes(1_000));

        await().atMost(Duration.ofMinutes(1)).until(() -> {
            System.gc();
            return left.refersTo(null);
        });
    }

    @Test
    void eachCallGetsItsOwnAnswerWhileOthersExpireAndConnectionsAreCut() throws Exception {
        long seed = Seed.of(ReusedCallsTest.class);
        System.out.println("seed " + seed);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        AtomicInteger answers = new AtomicInteger();
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                ends.add(threads.submit(() -> calls(thread, new Random(seed + thread), answers)));
            }
            for (Future<?> end : ends) {
                end.get(100_000, MILLISECONDS);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(answers).as("calls that were answered").hasValueGreaterThan(THREADS * CALLS / 10);
        assertThat(client.pendingCalls()).isZero();
    }

    private void calls(int thread, Random random, AtomicInteger answers) {
        for (int i = 0; i < CALLS; i++) {
            if (thread == 0 && i % BETWEEN_CUTS == BETWEEN_CUTS - 1) {
                int unused = ofClient.cutAllBut(broker.endpoint());
            }
            int value = thread * CALLS + i + 1;
            try {
                call(random, value);
                answers.incrementAndGet();
            } catch (CallException e) { // its deadline has passed, or its connection was cut
                assertThat(e.getMessage()).contains("echoes");
            }
        }
    }

    private void call(Random random, int value) {
        switch (random.nextInt(6)) {
            case 0, 1 -> assertThat(echoes.inline(value)).isEqualTo(value);
            case 2 -> assertThat(echoes.pure(value)).isEqualTo(value);
            case 3 -> assertThat(echoes.worker(value)).isEqualTo(value);
            case 4 -> assertThat(echoes.late(value, random.nextInt(8_000))).isEqualTo(value);
            default -> {
                Pending<Long> shown = Cleave.async(() -> echoes.inline(value));
                if (random.nextBoolean()) {
                    boolean unused = shown.cancel();
                } else {
                    assertThat(shown.await()).isEqualTo(value);
                    assertThat(shown.await()).as("once more").isEqualTo(value);
                }
            }
        }
    }
}
