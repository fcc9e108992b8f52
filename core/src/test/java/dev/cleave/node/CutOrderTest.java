package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Chained;
import dev.cleave.OneWay;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that have an order keep it, and each is executed once, however often their connection is cut while their server lives. */
@Tag("one-jdk")
@Timeout(120)
class CutOrderTest {

    private static final int CALLS = 600;
    private static final int WINDOW = 8;

    private final long seed = Seed.of(CutOrderTest.class);
    private final Random random = new Random(seed);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Integer> entries = new ArrayList<>(); // guarded by itself
    private NettyTransport transport;
    private CuttingTransport cutting;
    private FakeBroker broker;
    private Node client;

    /** Writes down. */
    @Remote
    interface Book {

        @Chained
        int chained(int entry);

        int grouped(int entry);

        @OneWay
        void note(int entry);

        int pages();
    }

    @BeforeEach
    void start() {
        transport = NettyTransport.create();
        cutting = new CuttingTransport(NettyTransport.create());
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
        Node server = Node.connect(NodeOptions.DEFAULT
                .withName("server")
                .withBroker(broker.endpoint())
                .withCapacity(4, 1024)
                .withTransport(transport));
        open.push(server);
        server.bind("book", new Book() {
            @Override
            public int chained(int entry) {
                return write(entry);
            }

            @Override
            public int grouped(int entry) {
                return write(entry);
            }

            @Override
            public void note(int entry) {
                write(entry);
            }

            @Override
            public int pages() {
                synchronized (entries) {
                    return entries.size();
                }
            }
        });
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
        transport.close();
        cutting.close();
        Buffers.assertNoneInUse();
    }

    private int write(int entry) {
        LockSupport.parkNanos(50_000); // cuts are to meet methods that run
        synchronized (entries) {
            entries.add(entry);
        }
        return -entry;
    }

    private Book lookup() {
        client = Node.connect(NodeOptions.DEFAULT
                .withName("client")
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse(
                        "pings: {every: 1s, suspect: 20s, down: 60s}\n"
                                + "services: {book: {methods: {grouped: {style: async, group: pages}}}}",
                        "cleave.yaml"))
                .withTransport(cutting));
        open.push(client);
        return client.lookup("book", Book.class);
    }

    private void mayCut() {
        if (random.nextInt(20) == 0) {
            LockSupport.parkNanos(random.nextInt(500_000));
            cutting.cutAllBut(broker.endpoint());
        }
    }

    private void assertAllOnceInOrder() {
        synchronized (entries) {
            assertThat(entries)
                    .as("seed %s", seed)
                    .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
        }
    }

    /** What a rewritten loop does. */
    private void loop(IntFunction<Handle> send) throws Throwable {
        Deque<Handle> sent = new ArrayDeque<>();
        int ahead = 0;
        for (int i = 0; i < CALLS; i++) {
            while (ahead < CALLS && sent.size() < WINDOW) {
                sent.add(send.apply(ahead++));
                mayCut();
            }
            assertThat(sent.remove().awaitInt()).as("seed %s", seed).isEqualTo(-i);
        }
    }

    private static Handle invoke(Method method, Object target, Object... arguments) {
        try {
            method.setAccessible(true);
            return (Handle) method.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void thoseOfAChain() throws Throwable {
        Book book = lookup();
        Method send = book.getClass().getMethod("chained$chain", Chain.class, int.class);
        Chain chain = Chain.stopping();
        Deque<Handle> sent = new ArrayDeque<>();
        int ahead = 0;

        for (int i = 0; i < CALLS; i++) { // what a rewritten loop does
            if (chain.isBroken() && sent.isEmpty()) {
                chain.renew();
            }
            while (ahead < CALLS && sent.size() < WINDOW && !chain.isBroken()) {
                sent.add(invoke(send, book, chain, ahead++));
                mayCut();
            }
            assertThat(sent.remove().awaitInt()).as("seed %s", seed).isEqualTo(-i);
        }

        chain.end();
        assertAllOnceInOrder();
    }

    @Test
    void thoseOfAGroup() throws Throwable {
        Book book = lookup();
        Method send = book.getClass().getMethod("grouped$send", int.class);

        loop(entry -> invoke(send, book, entry));

        assertAllOnceInOrder();
    }

    @Test
    void oneWayCallsOfAThreadAndTheCallBehindThem() {
        Book book = lookup();

        for (int i = 0; i < CALLS; i++) {
            book.note(i);
            mayCut();
        }

        assertThat(book.pages()).as("seed %s", seed).isEqualTo(CALLS);
        assertAllOnceInOrder();
        assertThat(client.oneWayFailures()).isZero();
    }
}
