package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.replica.Attempts;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.FreezingTransport;
import dev.cleave.testing.Seed;
import dev.cleave.testing.WrappedTransport;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of plain calls when their connection is cut and their server lives on: it remembers. */
@Tag("one-jdk")
class CutLinkTest {

    private static final int LARGE = 8 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private NettyTransport transport;
    private FreezingTransport freezing;
    private CuttingTransport cutting;
    private FakeBroker broker;

    @BeforeEach
    void start() {
        transport = NettyTransport.create();
        freezing = new FreezingTransport(NettyTransport.create());
        cutting = new CuttingTransport(NettyTransport.create());
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
    }

    @AfterEach
    void close() throws Exception {
        freezing.thaw();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
        transport.close();
        freezing.close();
        cutting.close();
        Buffers.assertNoneInUse();
    }

    private RealShop serve(String name, int workers) {
        RealShop shop = new RealShop(name);
        bind(name, workers, shop);
        return shop;
    }

    private void bind(String name, int workers, Shop shop) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withCapacity(workers, 1024)
                .withTransport(freezing));
        open.push(node);
        node.bind("shop", shop);
    }

    private Shop lookup() {
        return lookup(cutting);
    }

    private Shop lookup(Transport by) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName("client")
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse("pings: {every: 1s, suspect: 20s, down: 60s}", "cleave.yaml"))
                .withTransport(by));
        open.push(node);
        return node.lookup("shop", Shop.class);
    }

    private void cut() {
        assertThat(cutting.cutAllBut(broker.endpoint())).isEqualTo(1);
    }

    @Test
    void aCallThatRunsIsAnsweredOverTheNextConnection() throws Exception {
        RealShop served = serve("one", 1);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> call = Cleave.async(() -> shop.nothing());
        served.entered.await();

        cut();
        served.gate.countDown();

        assertThat(call.await()).isNull();
        assertThat(served.executed).hasValue(1);
    }

    @Test
    void aCallThatRunsIsAskedForUntilAConnectionToItsServerStands() throws Exception {
        RealShop served = serve("one", 1);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> call = Cleave.async(() -> shop.nothing());
        served.entered.await();

        cutting.cutsNext(2); // each of which keeps others from being dialled for a moment
        cut();
        served.gate.countDown();

        assertThat(call.await()).isNull();
        assertThat(served.executed).hasValue(1);
        assertThat(cutting.toCut()).isZero();
    }

    /** Nor has the name of the connection: the server cannot have heard of it. */
    @Test
    void aCallOfAConnectionOverWhichNothingCameIsSentAgain() throws Exception {
        RealShop served = serve("one", 1);
        AtomicBoolean swallows = new AtomicBoolean(true);
        CountDownLatch sent = new CountDownLatch(3); // the name, what is announced, the call
        Shop shop = lookup(new WrappedTransport(cutting) {
            @Override
            protected Half half() {
                return new Half() {
                    private final AtomicBoolean isGreeted = new AtomicBoolean();

                    @Override
                    public void write(ByteBuf frame) {
                        boolean isToServer = peer().port() != broker.endpoint().port();
                        if (isToServer && isGreeted.getAndSet(true) && swallows.get()) {
                            frame.release();
                            sent.countDown();
                        } else {
                            super.write(frame);
                        }
                    }
                };
            }
        });
        Pending<Void> call = Cleave.async(() -> shop.nothing());
        assertThat(sent.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        swallows.set(false);
        cut();

        assertThat(call.await()).isNull();
        assertThat(served.executed).hasValue(1);
    }

    @Test
    void aResultThatWasOnItsWayIsRememberedAlsoWhereTheServerHasNotNoticed() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(2);
        CountDownLatch left = new CountDownLatch(2);
        bind("one", 2, new ForwardingShop(new RealShop("one")) {
            @Override
            public Object echo(Object any) {
                pass();
                return List.of(any, new Shop.Item("a", 1, List.of()));
            }

            @Override
            public void fail(String what) throws IOException {
                pass();
                throw new IOException(what);
            }

            private void pass() {
                entered.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                left.countDown();
            }
        });
        Shop shop = lookup();
        Pending<Object> result = Cleave.async(() -> shop.echo("x"));
        Pending<Void> failure = Cleave.async(() -> shop.fail("disk"));
        entered.await();
        freezing.freeze(); // the answers do not leave the server, which hears nothing of the cut
        gate.countDown();
        left.await();

        cut();
        freezing.thaw();

        assertThat(result.await()).isEqualTo(List.of("x", new Shop.Item("a", 1, List.of())));
        assertThatThrownBy(failure::await).isInstanceOf(IOException.class).hasMessage("disk");
    }

    @Test
    void aPlainCallThatHasNotBegunIsSentAgainToItsOnlyReplica() throws Exception {
        RealShop served = serve("one", 1);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        served.entered.await();
        Pending<Integer> queued = Cleave.async(() -> shop.add(1, 1));
        await().until(() -> broker.replicas("shop") == 1);

        cut();

        served.gate.countDown();
        assertThat(queued.await()).isEqualTo(2);
        assertThat(running.await()).isNull();
        assertThat(served.executed).as("each ran once").hasValue(2);
    }

    @Test
    void aPlainCallThatNeverBeganIsSentHoweverOftenItWasLost() throws Exception {
        assertNeverBeganIsSent(shop -> shop.add(1, 1), 2);
    }

    @Test
    void aLargeResultThatIsLostWithItsConnectionIsLostAtOnce() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        bind("one", 2, new ForwardingShop(new RealShop("one")) {
            @Override
            public Object echo(Object any) {
                entered.countDown();
                awaitUnlessInterrupted(gate);
                return new byte[LARGE];
            }
        });
        Shop shop = lookup();
        Pending<Object> call = Cleave.async(() -> shop.echo("x"));
        entered.await();

        cut();
        gate.countDown();

        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.executed())
                        .isTrue());
    }

    @Test
    void anIdempotentCallThatWasLostAsOftenAsItMayBeSentIsAskedForWhileItsServerLives() throws Exception {
        AtomicInteger executed = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        bind("one", 8, new ForwardingShop(new RealShop("one")) {
            @Override
            public String replica() {
                int number = executed.incrementAndGet();
                awaitUnlessInterrupted(gate);
                return "execution " + number;
            }
        });
        Shop shop = lookup();
        Pending<String> call = Cleave.async(() -> shop.replica());
        for (int sent = 1; sent <= Attempts.MOST; sent++) {
            int executions = sent;
            await().atMost(PATIENCE).until(() -> executed.get() == executions);
            cut();
        }
        for (int more = 0; more < 3; more++) { // over which it is asked for
            await().atMost(PATIENCE).until(() -> cutting.cutAllBut(broker.endpoint()) == 1);
        }

        gate.countDown();

        assertThat(call.await()).isEqualTo("execution " + Attempts.MOST);
        assertThat(executed).hasValue(Attempts.MOST);
    }

    @Test
    void anIdempotentCallThatNeverBeganIsSentHoweverOftenItWasLost() throws Exception {
        assertNeverBeganIsSent(Shop::replica, "one");
    }

    private void assertNeverBeganIsSent(Function<Shop, Object> calling, Object result) throws Exception {
        RealShop served = serve("one", 1);
        served.gate = new CountDownLatch(1);
        Node other = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
        open.push(other);
        Shop elsewhere = other.lookup("shop", Shop.class);
        Pending<Void> inTheWay = Cleave.async(() -> elsewhere.nothing());
        served.entered.await();
        Shop shop = lookup();
        Pending<Object> call = Cleave.async(() -> calling.apply(shop));
        for (int lost = 0; lost < 3 * Attempts.MOST; lost++) {
            await().atMost(PATIENCE).until(() -> cutting.cutAllBut(broker.endpoint()) == 1);
        }

        served.gate.countDown();

        assertThat(call.await()).isEqualTo(result);
        assertThat(inTheWay.await()).isNull();
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aServerThatIsGoneLeavesDoubt() throws Exception {
        RealShop served = serve("one", 1);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> call = Cleave.async(() -> shop.nothing());
        served.entered.await();
        Node server = (Node) open.pollLast();

        server.close();

        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
        served.gate.countDown();
    }

    @Test
    void everyPlainCallIsExecutedOnceHoweverOftenItsConnectionIsCut() throws Exception {
        long seed = Seed.of(CutLinkTest.class);
        Random random = new Random(seed);
        int calls = 2_000;
        AtomicIntegerArray executed = new AtomicIntegerArray(calls);
        bind("one", 4, new ForwardingShop(new RealShop("one")) {
            @Override
            public int slow(int number, int result) {
                executed.incrementAndGet(number);
                return result;
            }
        });
        Shop shop = lookup();
        int unexecuted = 0;
        for (int i = 0; i < calls; i += 8) {
            List<Pending<Integer>> some = new ArrayList<>();
            int cutAt = random.nextInt(12);
            for (int k = 0; k < 8; k++) {
                int number = i + k;
                some.add(Cleave.async(() -> shop.slow(number, -number)));
                if (k == cutAt) {
                    java.util.concurrent.locks.LockSupport.parkNanos(random.nextInt(2_000_000));
                    cutting.cutAllBut(broker.endpoint());
                }
            }
            for (int k = 0; k < 8; k++) {
                unexecuted += isUnexecuted(some.get(k), i + k, executed, seed) ? 1 : 0;
            }
        }
        assertThat(unexecuted).as("seed %s", seed).isZero();
    }

    /** Whether a call did not run; one that did has its result. */
    private static boolean isUnexecuted(Pending<Integer> call, int number, AtomicIntegerArray executed, long seed) {
        try {
            assertThat(call.await()).isEqualTo(-number);
            assertThat(executed.get(number))
                    .as("call %s, seed %s", number, seed)
                    .isEqualTo(1);
            return false;
        } catch (CallException e) {
            assertThat(e.notExecuted())
                    .as("call %s, seed %s: %s", number, seed, e)
                    .isTrue();
            assertThat(executed.get(number))
                    .as("call %s, seed %s: %s", number, seed, e)
                    .isZero();
            return true;
        }
    }
}
