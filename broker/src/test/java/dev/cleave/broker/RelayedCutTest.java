package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallContext;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Idempotent;
import dev.cleave.OneWay;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.Seed;
import dev.cleave.testing.WrappedTransport;
import dev.cleave.transport.Connection;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of relayed calls when the connection between their client and the broker is cut: the broker remembers. */
@Tag("one-jdk")
@Timeout(120)
class RelayedCutTest {

    private static final int LARGE = 8 << 20;
    private static final Endpoint NONE = Endpoint.tcp("localhost", 1);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Integer> entries = new ArrayList<>(); // guarded by itself
    private final CountDownLatch entered = new CountDownLatch(1);
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private CuttingTransport cutting;
    private ToldTransport told;
    private Broker broker;
    private Node server;

    /** The transport of the server, which counts how often it was told that a caller is gone or has given a call up. */
    private static final class ToldTransport extends WrappedTransport {

        private final AtomicInteger times = new AtomicInteger();

        private ToldTransport(Transport real) {
            super(real);
        }

        @Override
        protected Half half() {
            return new Half() {
                @Override
                public void onFrame(Connection connection, ByteBuf frame) {
                    FrameKind kind = Header.kind(frame);
                    super.onFrame(connection, frame);
                    if (kind == FrameKind.CALLER_GONE || kind == FrameKind.CANCEL) {
                        times.incrementAndGet();
                    }
                }
            };
        }
    }

    record Page(String title, List<Integer> lines) {}

    /** Writes down. */
    @Remote
    interface Book {

        int write(int entry);

        Page page(String title);

        boolean rest();

        @Idempotent
        int read(int entry);

        @OneWay
        void note(int entry);

        byte[] fill(int length);

        @Idempotent
        byte[] fillAgain(int length);

        int length(byte[] large);
    }

    private final class WrittenBook implements Book {

        @Override
        public int write(int entry) {
            entered.countDown();
            awaitGate();
            synchronized (entries) {
                entries.add(entry);
            }
            return -entry;
        }

        @Override
        public Page page(String title) {
            return new Page(title, List.of(write(1)));
        }

        @Override
        public boolean rest() {
            entered.countDown();
            try {
                gate.await();
                return !CallContext.current().isCancelled();
            } catch (InterruptedException e) {
                return false;
            }
        }

        @Override
        public int read(int entry) {
            return write(entry);
        }

        @Override
        public void note(int entry) {
            write(entry);
        }

        @Override
        public byte[] fill(int length) {
            return new byte[length + write(0)];
        }

        @Override
        public byte[] fillAgain(int length) {
            return fill(length);
        }

        @Override
        public int length(byte[] large) {
            return large.length + write(0);
        }
    }

    @BeforeEach
    void start() {
        cutting = new CuttingTransport(NettyTransport.create());
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(Bindings.parse("services: {book: {route: relay}}", "cleave.yaml")));
        told = new ToldTransport(NettyTransport.create());
        server = Node.connect(NodeOptions.DEFAULT
                .withBroker(broker.endpoint())
                .withTransport(told)
                .withCapacity(1, 1024)
                .withName("server"));
        server.bind("book", new WrittenBook());
    }

    /** A node that closes interrupts its methods: one that returned then would be answered, perhaps in time. */
    private void awaitGate() {
        boolean interrupted = false;
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        server.close();
        broker.close();
        cutting.close();
        told.close();
    }

    private Book lookup() {
        Node client = Node.connect(NodeOptions.DEFAULT
                .withBroker(broker.endpoint())
                .withTransport(cutting)
                .withName("client"));
        open.push(client);
        return client.lookup("book", Book.class);
    }

    private int entries() {
        synchronized (entries) {
            return entries.size();
        }
    }

    private void cut() {
        assertThat(cutting.cutAllBut(NONE)).isEqualTo(1);
    }

    @Test
    void callsThatRunAreAnsweredOverTheNextConnection() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<Page> call = Cleave.async(() -> book.page("one"));
        entered.await();

        cut();
        gate.countDown();

        assertThat(call.await()).isEqualTo(new Page("one", List.of(-1)));
        assertThat(entries()).isEqualTo(1);
        assertThat(book.page("two")).as("the types are announced again").isEqualTo(new Page("two", List.of(-1)));
    }

    @Test
    void aCallThatRunsIsNotInterrupted() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<Boolean> call = Cleave.async(book::rest);
        entered.await();

        cut();
        await().until(() -> told.times.get() == 1);
        gate.countDown();

        assertThat(call.await()).isTrue();
    }

    @Test
    void whatHasNotBegunIsSentAgainAndExecutedOnce() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<Integer> running = Cleave.async(() -> book.write(1));
        entered.await();
        Pending<Integer> plain = Cleave.async(() -> book.write(2));
        Pending<Integer> idempotent = Cleave.async(() -> book.read(3));
        await().until(() -> broker.endpoint().port() > 0 && !plain.isDone());

        cut();
        gate.countDown();

        assertThat(running.await()).isEqualTo(-1);
        assertThat(plain.await()).isEqualTo(-2);
        assertThat(idempotent.await()).isEqualTo(-3);
        synchronized (entries) {
            assertThat(entries).containsExactlyInAnyOrder(1, 2, 3);
        }
    }

    @Test
    void aLargeResultThatComesWhenItsClientIsGoneIsLostAtOnce() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<byte[]> call = Cleave.async(() -> book.fill(LARGE));
        entered.await();

        cut();
        gate.countDown();

        assertLost(call);
        assertNothingIsLeft();
    }

    @Test
    void aLargeResultThatIsOnItsWayIsLostAtOnce() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<byte[]> call = Cleave.async(() -> book.fill(LARGE));
        entered.await();
        cutting.hears(false); // the client grants nothing more
        gate.countDown();
        await().until(() -> entries() == 1);

        cut();

        assertLost(call);
        assertNothingIsLeft();
    }

    @Test
    void anIdempotentCallWhoseLargeResultIsLostIsMadeAgain() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<byte[]> call = Cleave.async(() -> book.fillAgain(LARGE));
        entered.await();

        cut();
        gate.countDown();

        assertThat(call.await()).hasSize(LARGE);
        assertThat(entries()).isEqualTo(2);
    }

    @Test
    void aCallWhoseLargeArgumentIsOnItsWayIsSentAgain() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<Integer> running = Cleave.async(() -> book.write(1));
        entered.await();
        Pending<Integer> call = Cleave.async(() -> book.length(new byte[LARGE]));

        cut();
        gate.countDown();

        assertThat(call.await()).isEqualTo(LARGE);
        assertThat(running.await()).isEqualTo(-1);
        assertThat(entries()).isEqualTo(2);
    }

    private static void assertLost(Pending<byte[]> call) {
        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.executed())
                        .isTrue());
    }

    private void assertNothingIsLeft() throws Exception {
        open.pop().close();
        server.close();
        await().atMost(Duration.ofSeconds(30)).until(broker::isEmpty);
    }

    @Test
    void aServerThatDiesMeanwhileLeavesDoubt() throws Exception {
        gate = new CountDownLatch(1);
        Book book = lookup();
        Pending<Integer> call = Cleave.async(() -> book.write(1));
        entered.await();

        cut();
        server.close();

        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
    }

    @Test
    void everyPlainCallIsExecutedOnceHoweverOftenItsConnectionIsCut() {
        long seed = Seed.of(RelayedCutTest.class);
        Random random = new Random(seed);
        Book book = lookup();

        for (int i = 0; i < 400; i++) {
            int entry = i;
            Pending<Integer> call = Cleave.async(() -> book.write(entry));
            if (random.nextInt(20) == 0) {
                await().until(() -> entries() > entry); // it has been executed, and its result may be anywhere
                cutting.cutAllBut(NONE);
            }
            assertThat(call.await()).as("seed %s", seed).isEqualTo(-entry);
        }

        synchronized (entries) {
            assertThat(entries)
                    .as("seed %s", seed)
                    .isEqualTo(IntStream.range(0, 400).boxed().toList());
        }
    }

    @Test
    void oneWayCallsKeepTheirOrder() {
        long seed = Seed.of(RelayedCutTest.class);
        Random random = new Random(seed);
        Book book = lookup();

        for (int i = 0; i < 300; i++) {
            book.note(i);
            if (random.nextInt(40) == 0) {
                cutting.cutAllBut(NONE);
            }
        }
        assertThat(book.write(300)).isEqualTo(-300);

        synchronized (entries) {
            assertThat(entries)
                    .as("seed %s", seed)
                    .isEqualTo(IntStream.range(0, 301).boxed().toList());
        }
    }
}
