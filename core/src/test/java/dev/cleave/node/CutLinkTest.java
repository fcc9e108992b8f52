package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.FreezingTransport;
import dev.cleave.testing.Seed;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of plain calls when their connection is cut and their server lives on: it remembers. */
class CutLinkTest {

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
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName("client")
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse("pings: {every: 1s, suspect: 20s, down: 60s}", "cleave.yaml"))
                .withTransport(cutting));
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
    void aCallThatHasNotBegunIsNotExecutedAnyMore() throws Exception {
        RealShop served = serve("one", 1);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        served.entered.await();
        Pending<Integer> queued = Cleave.async(() -> shop.add(1, 1));
        await().until(() -> broker.replicas("shop") == 1);

        cut();

        assertThatThrownBy(queued::await).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.notExecuted())
                .isTrue());
        served.gate.countDown();
        assertThat(running.await()).isNull();
        served.gate = null;
        shop.nothing();
        assertThat(served.executed).as("the queued one did not run").hasValue(2);
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
        assertThat(unexecuted).as("seed %s", seed).isLessThan(calls / 2);
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
