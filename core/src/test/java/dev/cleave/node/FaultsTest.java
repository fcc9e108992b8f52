package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.NoReplicaException;
import dev.cleave.NoSuchMethodOnServerException;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.RefusedTypeException;
import dev.cleave.Remote;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.testing.EffectOf;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class FaultsTest {

    /** What a server has that is older than {@link Shop}. */
    @Remote
    interface OldShop {
        int add(int a, int b);
    }

    private final List<AutoCloseable> open = new ArrayList<>();
    private NettyTransport transport;
    private FakeBroker broker;

    @BeforeEach
    void start() {
        transport = NettyTransport.create();
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private Node node(NodeOptions options) {
        Node node = Node.connect(
                options.withBroker(broker.endpoint()).withTransport(transport).withPatience(Duration.ZERO));
        open.add(node);
        return node;
    }

    private Node node(String name) {
        return node(NodeOptions.DEFAULT.withName(name));
    }

    private RealShop serve(String name, int workers, int queue) {
        RealShop shop = new RealShop(name);
        node(NodeOptions.DEFAULT.withName(name).withCapacity(workers, queue)).bind("shop", shop);
        return shop;
    }

    /** Waits until no call waits for a worker: the server has been told which calls were given up. */
    private static void awaitNoneQueued(Node server) {
        await().until(() -> server.metrics().stream()
                .filter(metric -> metric.name().equals("cleave.server.queued.calls"))
                .allMatch(metric -> metric.value() == 0));
    }

    private Shop lookup(String file) {
        Bindings bindings = Bindings.parse(file, "cleave.yaml");
        return node(NodeOptions.DEFAULT.withName("client").withBindings(bindings))
                .lookup("shop", Shop.class);
    }

    private Shop lookup() {
        return lookup("application: test");
    }

    private static Handle send(Shop shop, String method, Object... arguments) throws Exception {
        Method send = Arrays.stream(shop.getClass().getMethods())
                .filter(m -> m.getName().equals(method + "$send"))
                .findFirst()
                .orElseThrow();
        send.setAccessible(true);
        return (Handle) send.invoke(shop, arguments);
    }

    @Test
    void argumentsBeyondTheBoundOfTheServerAreRefusedUnexecuted() {
        RealShop served = new RealShop("one");
        node(NodeOptions.DEFAULT.withName("one").withArriving(1 << 20)).bind("shop", served);
        Shop shop = lookup();

        assertThatThrownBy(() -> shop.sum(new byte[(1 << 20) + 1]))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue())
                .hasMessageContaining("arguments: values of 1048577 bytes (expected: at most 1048576 bytes on their way"
                        + " to the receiver at a time, 0 are; -Dcleave.arriving.mib there sets it)");
        assertThat(shop.sum(new byte[1 << 20])).isZero();
        assertThat(shop.add(1, 1)).isEqualTo(2);
        assertThat(served.executed).hasValue(1);
    }

    @Test
    void resultsOfTypesThatAreNotAllowedAreRefusedAfterTheMethodRan() {
        class Local {}
        node("one").bind("shop", new ForwardingShop(new RealShop("one")) {
            @Override
            public Object echo(Object any) {
                return new Local();
            }
        });
        Shop shop = lookup();

        assertThatThrownBy(() -> shop.echo("x"))
                .isInstanceOfSatisfying(RefusedTypeException.class, e -> assertThat(e.executed())
                        .isTrue())
                .hasMessageContaining("Shop.echo: the result: an anonymous or local class");
        assertThat(shop.add(1, 1)).isEqualTo(2);
    }

    @EffectOf("allow")
    @Test
    void argumentsThatTheServerDoesNotAllowAreRefusedUnexecuted() {
        RealShop served = serve("one", 1, 8);
        Shop shop = lookup("allow: [" + Extra.class.getName() + "]");

        assertThatThrownBy(() -> shop.echo(new Extra(1)))
                .isInstanceOfSatisfying(RefusedTypeException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("arguments: Shop.echo: parameter 1")
                .hasMessageContaining(": type " + Extra.class.getName());
        assertThat(served.executed).hasValue(0);
    }

    record Extra(int x) {}

    @Test
    void methodsThatTheServerDoesNotHaveFailUnexecutedAndTheOthersWork() {
        node("one").bind("shop", (OldShop) Integer::sum);
        Shop shop = lookup();

        assertThat(shop.add(1, 2)).isEqualTo(3);
        assertThatThrownBy(() -> shop.greet("x"))
                .isInstanceOfSatisfying(NoSuchMethodOnServerException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("service shop has no method greet(Ljava/lang/String;)Ljava/lang/String;")
                .hasMessageContaining("is the client newer than the server?");
    }

    @Test
    void callsOnAServerThatDiesAreInDoubt() throws Exception {
        RealShop served = serve("one", 1, 8);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> pending = Cleave.async(() -> shop.nothing());
        served.entered.await();

        open.get(0).close();

        assertThatThrownBy(pending::await).isInstanceOfSatisfying(ConnectionLostException.class, e -> {
            assertThat(e.maybeExecuted()).isTrue();
            assertThat(e.retrySafe()).isFalse();
            assertThat(e.replica()).isEqualTo("one");
        });
        served.gate.countDown();
    }

    @Test
    void idempotentCallsGoToAnotherReplicaAlsoWhenSentAhead() throws Throwable {
        RealShop one = serve("one", 1, 8);
        RealShop two = serve("two", 1, 8);
        one.gate = new CountDownLatch(1);
        two.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Handle first = send(shop, "replica");
        Handle second = send(shop, "replica");
        one.entered.await();
        two.entered.await();

        open.get(0).close();
        two.gate.countDown();

        assertThat(first.await()).isEqualTo("two");
        assertThat(second.await()).isEqualTo("two");
        assertThat(two.executed).hasValue(2);
        one.gate.countDown();
    }

    @Test
    void whatWasLostAndThenRefusedElsewhereIsInDoubt() throws Exception {
        RealShop served = serve("one", 1, 8);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup("services: {shop: {methods: {add: {deadline: 500ms}}}}");
        Pending<String> lost = Cleave.async(() -> shop.replica());
        served.entered.await();
        node("old").bind("shop", (OldShop) Integer::sum);
        await().ignoreExceptions().until(() -> shop.add(1, 1) == 2); // the client knows of it

        open.get(0).close();

        assertThatThrownBy(lost::await).isInstanceOfSatisfying(NoSuchMethodOnServerException.class, e -> {
            assertThat(e.replica()).isEqualTo("old");
            assertThat(e.maybeExecuted()).as("the first server had begun").isTrue();
            assertThat(e.notExecuted()).isFalse();
        });
        served.gate.countDown();
    }

    @Test
    void noReplicaFailsFastAndRecoversByPush() throws Exception {
        serve("one", 1, 8);
        Shop shop = lookup();
        assertThat(shop.add(1, 1)).isEqualTo(2);
        open.get(0).close();
        await().until(() -> broker.replicas("shop") == 0);

        await().untilAsserted(() -> {
            Throwable thrown = catchThrowable(() -> shop.add(1, 1));
            assertThat(thrown).isInstanceOfSatisfying(NoReplicaException.class, e -> assertThat(e.notExecuted())
                    .isTrue());
            assertThat(thrown).hasMessageContaining("no live replica");
        });
        serve("two", 1, 8);

        await().untilAsserted(() -> assertThat(shop.add(2, 2)).isEqualTo(4));
    }

    @Test
    void aBrokerThatHasLostItsConnectionsDoesNotKeepCallsFromServersThatRun() throws Exception {
        serve("one", 1, 8);
        Shop shop = lookup();
        assertThat(shop.add(1, 1)).isEqualTo(2);

        for (int i = 0; i < 20; i++) {
            broker.deny("shop");
            assertThat(shop.add(i, 1)).isEqualTo(i + 1);
        }
    }

    @Test
    void aCallWaitsForTheReplicaThatComesBackToABrokerThatHadLostAll() throws Exception {
        serve("one", 1, 8);
        Shop shop = lookup();
        assertThat(shop.add(1, 1)).isEqualTo(2);
        open.get(0).close();
        await().until(() -> broker.replicas("shop") == 0);
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> shop.add(2, 2));

        serve("two", 1, 8);

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(4);
    }

    @Test
    void aServiceThatWasTakenBackHasNoReplicaThoughItsNodeRuns() throws Exception {
        serve("one", 1, 8);
        Shop shop = lookup();
        assertThat(shop.add(1, 1)).isEqualTo(2);
        ((Node) open.get(0)).unbind("shop");

        await().untilAsserted(() -> assertThatThrownBy(() -> shop.add(1, 1))
                .isInstanceOf(NoReplicaException.class)
                .hasMessageContaining("no live replica"));
    }

    @Test
    void deadlinesPassOnTimeAndWhatIsQueuedIsNotExecuted() throws Exception {
        RealShop served = new RealShop("one");
        Node server = node(NodeOptions.DEFAULT.withName("one").withCapacity(1, 8));
        server.bind("shop", served);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup("services: {shop: {methods: {add: {deadline: 100ms}}}}");
        Pending<Void> blocking = Cleave.async(() -> shop.nothing());
        served.entered.await();

        await().untilAsserted(
                        () -> { // once in time is enough: a machine under load may stand still for longer
                            long begun = System.nanoTime();
                            assertThatThrownBy(() -> shop.add(1, 1))
                                    .isInstanceOf(DeadlineException.class)
                                    .hasMessageContaining("deadline of 100 ms passed");
                            assertThat(System.nanoTime() - begun).isBetween(100_000_000L, 350_000_000L);
                        });
        awaitNoneQueued(server);

        served.gate.countDown();
        blocking.await();
        shop.nothing();
        assertThat(served.executed).hasValue(2);
    }

    @Test
    void expiredRequestsAreDroppedByTheServerToo() throws Exception {
        RealShop served = new RealShop("one");
        Node server = node(NodeOptions.DEFAULT.withName("one").withCapacity(1, 8));
        server.bind("shop", served);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup("services: {shop: {methods: {slow: {deadline: 50ms}}}}");
        Pending<Void> blocking = Cleave.async(() -> shop.nothing());
        served.entered.await();
        Pending<Integer> late = Cleave.async(() -> shop.slow(0, 1));

        await().until(late::isDone);
        awaitNoneQueued(server);
        served.gate.countDown();
        blocking.await();
        shop.nothing();

        assertThatThrownBy(late::await).isInstanceOf(DeadlineException.class);
        assertThat(served.executed).hasValue(2);
    }

    @Test
    void aFullQueueRefusesAtOnceUnexecuted() throws Exception {
        RealShop served = serve("one", 1, 1);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        served.entered.await();
        Pending<Integer> waiting = Cleave.async(() -> shop.add(1, 1));

        assertThatThrownBy(() -> shop.add(2, 2))
                .isInstanceOfSatisfying(OverloadException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("the queue of the server is full (1 calls)");

        served.gate.countDown();
        running.await();
        assertThat(waiting.await()).isEqualTo(2);
        assertThat(served.executed).hasValue(2);
    }

    @Test
    void callsRefusedByAFullServerGoToAnother() throws Exception {
        RealShop full = serve("full", 1, 1);
        full.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        full.entered.await();
        Pending<Integer> waiting = Cleave.async(() -> shop.add(1, 1));
        RealShop free = serve("free", 1, 8);
        await().until(() -> broker.replicas("shop") == 2);

        await().untilAsserted(() -> {
            for (int i = 0; i < 4; i++) {
                assertThat(shop.add(i, i)).isEqualTo(2 * i);
            }
        });

        assertThat(free.executed.get()).isGreaterThanOrEqualTo(4);
        full.gate.countDown();
        running.await();
        waiting.await();
    }

    @Test
    void cancelledCallsThatAreQueuedDoNotRun() throws Exception {
        RealShop served = serve("one", 1, 8);
        served.gate = new CountDownLatch(1);
        Shop shop = lookup();
        Pending<Void> running = Cleave.async(() -> shop.nothing());
        served.entered.await();
        Pending<Integer> queued = Cleave.async(() -> shop.add(1, 1));
        Handle dropped = send(shop, "add", 1, 1);

        assertThat(queued.cancel()).isTrue();
        assertThat(queued.cancel()).isFalse();
        dropped.discard();
        served.gate.countDown();
        running.await();
        shop.nothing();

        assertThatThrownBy(queued::await).isInstanceOf(CallException.class).hasMessageContaining("cancelled");
        assertThatThrownBy(dropped::await).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.notExecuted())
                .isTrue());
        assertThat(served.executed).hasValue(2);
    }

    @Test
    void sentAheadCallsBeginTheirDeadlineAtTheirOrigin() throws Throwable {
        serve("one", 1, 8);
        Shop shop = lookup("services: {shop: {methods: {slow: {deadline: 1s}}}}");
        Handle first = send(shop, "slow", 600, 1);
        Handle second = send(shop, "slow", 600, 2);

        assertThat(first.awaitInt()).isEqualTo(1);
        assertThat(second.awaitInt()).isEqualTo(2);
    }

    @Test
    void interruptsEndAWaitAndAreNotLost() {
        serve("one", 1, 8);
        Shop shop = lookup();
        Pending<Integer> slow = Cleave.async(() -> shop.slow(20_000, 7));

        Thread.currentThread().interrupt();

        assertThatThrownBy(slow::await)
                .isInstanceOf(CallException.class)
                .hasMessageContaining("cancelled: the calling thread is interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void servedMethodsMayCallRemotely() {
        serve("inner", 1, 8);
        Node middle = node("middle");
        Shop inner = middle.lookup("shop", Shop.class);
        middle.bind("outer", new ForwardingShop(inner));
        Shop outer = node("client").lookup("outer", Shop.class);

        assertThat(outer.add(3, 4)).isEqualTo(7);
    }

    @Test
    void failuresOfNestedCallsDoNotSpeakOfTheOuterCall() {
        serve("inner", 1, 8);
        Node middle = node("middle");
        Shop inner = middle.lookup("shop", Shop.class);
        middle.bind("outer", new ForwardingShop(inner) {
            @Override
            public int add(int a, int b) {
                throw new OverloadException(
                        "inner",
                        CallException.Execution.NOT_EXECUTED,
                        new CallException.CallSite("x", "y", null, false),
                        null);
            }
        });
        Shop outer = node("client").lookup("outer", Shop.class);

        assertThatThrownBy(() -> outer.add(1, 1))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.executed()).isTrue())
                .hasMessageContaining("dev.cleave.OverloadException");
    }

    @Test
    void nodesComeBackToARestartedBrokerAndDirectCallsGoOnMeanwhile() throws Exception {
        serve("one", 1, 8);
        Shop shop = lookup();
        assertThat(shop.add(1, 1)).isEqualTo(2);
        Endpoint endpoint = broker.endpoint();

        broker.close();
        assertThat(shop.add(2, 2)).isEqualTo(4);
        broker = FakeBroker.start(transport, endpoint);

        await().atMost(Duration.ofSeconds(60)).until(() -> broker.replicas("shop") == 1);
        assertThat(shop.add(3, 3)).isEqualTo(6);
        assertThat(node("late").lookup("shop", Shop.class).add(4, 4)).isEqualTo(8);
    }

    @Test
    void resultsBeyondTheBoundOfTheClientFailExecuted() {
        node("one").bind("shop", new ForwardingShop(new RealShop("one")) {
            @Override
            public int[] sorted(int[] values) {
                return new int[1 << 20];
            }
        });
        Shop shop = node(NodeOptions.DEFAULT.withName("client").withArriving(1 << 20))
                .lookup("shop", Shop.class);

        assertThatThrownBy(() -> shop.sorted(new int[1]))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.executed()).isTrue())
                .hasMessageContaining("result: values of 4194304 bytes (expected: at most 1048576 bytes on their way");
        assertThat(shop.add(1, 1)).isEqualTo(2);
    }

    @Test
    void theFilePutsALinkBeforeAReplica() {
        Bindings file = Bindings.parse(
                "services: {shop: {link: {delay: 20ms}, replicas: [{name: far, host: localhost}]}}", "cleave.yaml");
        Node far = Node.connect(
                NodeOptions.DEFAULT.withName("far").withBindings(file).withBroker(broker.endpoint()));
        open.add(far);
        far.bind("shop", new RealShop("far"));
        Shop shop = lookup();
        shop.nothing();
        long begun = System.nanoTime();

        shop.nothing();

        assertThat(System.nanoTime() - begun).isGreaterThan(40_000_000L);
    }

    @Test
    void nodesWhoseLeaseHasEndedRegisterAgain() {
        serve("one", 1, 8);
        Shop shop = lookup();

        broker.forget();

        await().until(() -> broker.replicas("shop") == 1);
        await().untilAsserted(() -> assertThat(shop.add(1, 1)).isEqualTo(2));
    }

    @Test
    void windowsOfCallsStayInOrderOfTheirHandles() throws Throwable {
        serve("one", 2, 4096);
        Shop shop = lookup();
        List<Handle> handles = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            handles.add(send(shop, "add", i, i));
        }
        for (int i = 0; i < 2000; i++) {
            assertThat(handles.get(i).awaitInt()).isEqualTo(2 * i);
        }
    }

    @Test
    void sendingNeverThrows() throws Throwable {
        serve("one", 1, 8);
        Shop shop = lookup();

        Handle refused = send(shop, "echo", (Runnable) () -> {});

        assertThat(refused.isDone()).isTrue();
        AtomicReference<Throwable> first = new AtomicReference<>(catchThrowable(refused::await));
        assertThat(first.get()).isInstanceOf(RefusedTypeException.class);
        assertThat(catchThrowable(refused::await))
                .isInstanceOf(RefusedTypeException.class)
                .isNotSameAs(first.get());
    }
}
