package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.Pending;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.WrappedTransport;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How calls end of which one side knows less than the other: no word of their end has come, or it comes too late. */
@Tag("one-jdk")
class CallEndsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Watched client = new Watched(NettyTransport.create());
    private final Watched server = new Watched(NettyTransport.create());
    private FakeBroker broker;

    /** A transport that sees frames. */
    private static final class Watched extends WrappedTransport {

        private final List<FrameKind> handled = new CopyOnWriteArrayList<>();
        private volatile Predicate<ByteBuf> cuts = frame -> false;
        private volatile Predicate<ByteBuf> loses = frame -> false;

        private Watched(Transport real) {
            super(real);
        }

        private long handled(FrameKind kind) {
            return handled.stream().filter(kind::equals).count();
        }

        @Override
        protected Half half() {
            return new Half() {
                @Override
                public void onFrame(Connection connection, ByteBuf frame) {
                    FrameKind kind = Header.kind(frame);
                    super.onFrame(connection, frame);
                    handled.add(kind);
                }

                @Override
                public void write(ByteBuf frame) {
                    boolean cut = cuts.test(frame);
                    if (cut || loses.test(frame)) {
                        frame.release();
                    } else {
                        super.write(frame);
                    }
                    if (cut) {
                        close();
                    }
                }
            };
        }
    }

    @BeforeEach
    void start() {
        NettyTransport transport = NettyTransport.create();
        open.push(transport);
        open.push(client);
        open.push(server);
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
        open.push(broker);
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        Buffers.assertNoneInUse();
    }

    private Node node(String name, Transport transport, String file) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse(file, "cleave.yaml"))
                .withCapacity(1, 8)
                .withTransport(transport));
        open.push(node);
        return node;
    }

    private RealShop serve() {
        RealShop shop = new RealShop("one");
        serve(shop, "one");
        return shop;
    }

    private Node serve(RealShop shop, String name) {
        int before = broker.replicas("shop");
        Node node = node(name, server, "application: test");
        node.bind("shop", shop);
        await().atMost(PATIENCE).until(() -> broker.replicas("shop") == before + 1);
        return node;
    }

    private Shop lookup(String file) {
        return node("client", client, file).lookup("shop", Shop.class);
    }

    /** A call that runs until the gate of the server opens. */
    private static Pending<Void> block(Shop shop, RealShop served) throws InterruptedException {
        served.gate = new CountDownLatch(1);
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        served.entered.await();
        return running;
    }

    @Test
    void whatExpiredInTheQueueDoesNotRunThoughNobodyCancelsIt() throws Exception {
        RealShop served = serve();
        client.loses = frame -> Header.kind(frame) == FrameKind.CANCEL;
        Shop shop = lookup("services: {shop: {methods: {slow: {deadline: 50ms}}}}");
        Pending<Void> running = block(shop, served);

        Pending<Integer> late = Cleave.async(() -> shop.slow(0, 1));
        assertThatThrownBy(late::await).isInstanceOf(DeadlineException.class);
        await().atMost(PATIENCE).until(() -> server.handled(FrameKind.REQUEST) == 2);
        long waits = System.nanoTime();
        await().atMost(PATIENCE).until(() -> System.nanoTime() - waits > TimeUnit.MILLISECONDS.toNanos(60));
        served.gate.countDown();
        running.await();
        shop.nothing();

        assertThat(served.executed).as("the two that did not expire").hasValue(2);
    }

    @Test
    void aCallThatIsSentAgainHasNoMoreThanWhatIsLeftOfItsTime() {
        RealShop served = serve();
        List<Long> times = new CopyOnWriteArrayList<>();
        client.cuts = frame -> {
            if (Header.kind(frame) != FrameKind.REQUEST) {
                return false;
            }
            times.add(RequestHead.read(frame.duplicate()).deadlineMicros());
            return times.size() == 1;
        };
        Shop shop = lookup("services: {shop: {methods: {replica: {deadline: 60s}}}}");

        assertThat(shop.replica()).isEqualTo("one");

        assertThat(served.executed).hasValue(1);
        assertThat(times).hasSize(2);
        assertThat(times.get(1)).isPositive().isLessThan(times.get(0));
    }

    @Test
    void aCallThatRunsWhenItIsGivenUpEndsAsItDoes() throws Exception {
        RealShop served = serve();
        Shop shop = lookup("application: test");
        Pending<Void> running = block(shop, served);

        ((Handle) running).withdrawn();
        await().atMost(PATIENCE).until(() -> server.handled(FrameKind.CANCEL) == 1);
        served.gate.countDown();

        running.await();
        assertThat(served.executed).hasValue(1);
    }

    @Test
    void aPlainCallWhoseServerGoesWhileItRunsDoesNotRunElsewhere() {
        RealShop one = new RealShop("one");
        RealShop two = new RealShop("two");
        one.gate = new CountDownLatch(1);
        two.gate = new CountDownLatch(1);
        Node first = serve(one, "one");
        Node second = serve(two, "two");
        Shop shop = lookup("application: test");
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        await().atMost(PATIENCE).until(() -> one.executed.get() + two.executed.get() == 1);
        Node serving = one.executed.get() == 1 ? first : second;

        serving.close();
        one.gate.countDown();
        two.gate.countDown();

        assertThatThrownBy(running::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
        assertThat(one.executed.get() + two.executed.get()).isEqualTo(1);
    }
}
