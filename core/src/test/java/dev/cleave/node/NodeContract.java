package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.NoReplicaException;
import dev.cleave.Pending;
import dev.cleave.RefusedTypeException;
import dev.cleave.RemoteFailureException;
import dev.cleave.call.Epoch;
import dev.cleave.call.Failures;
import dev.cleave.call.Stub;
import dev.cleave.rt.Prefetch;
import dev.cleave.rt.PrefetchQueue;
import dev.cleave.rt.Rt;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for calls between nodes over any transport. */
abstract class NodeContract {

    private static final int EACH = Boolean.getBoolean("cleave.full") ? 3_000 : 1_000; // calls of a thread

    private Transport transport;
    private FakeBroker broker;
    private Node server;
    private Node client;
    private RealShop served;
    private Shop shop;

    abstract Transport transport();

    abstract Endpoint door();

    @BeforeEach
    void connect() {
        transport = transport();
        broker = FakeBroker.start(transport, door());
        server = node("server");
        client = node("client");
        served = new RealShop("one");
        server.bind("shop", served);
        shop = client.lookup("shop", Shop.class);
    }

    @AfterEach
    void close() {
        assertThat(client.pendingCalls()).isZero();
        client.close();
        server.close();
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private Node node(String name) {
        return Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withTransport(transport)
                .withPatience(Duration.ZERO));
    }

    @Test
    void valuesOfEveryKindGoBothWays() {
        shop.nothing();
        assertThat(shop.add(2, -5)).isEqualTo(-3);
        assertThat(shop.sum(new byte[] {1, 2, -1})).isEqualTo(2);
        assertThat(shop.not(true)).isFalse();
        assertThat(shop.not(false)).isTrue();
        assertThat(shop.increment((byte) 127)).isEqualTo((byte) -128);
        assertThat(shop.upper('\u00e4')).isEqualTo('\u00c4');
        assertThat(shop.half((short) -300)).isEqualTo((short) -150);
        assertThat(shop.halfFloat(3)).isEqualTo(1.5f);
        assertThat(shop.mean(new double[] {1, 2}, 2, 3)).isEqualTo(2);
        assertThat(shop.greet("w\u00f6rld \u20ac")).isEqualTo("hello w\u00f6rld \u20ac");
        assertThat(shop.greet(null)).isNull();
        assertThat(shop.sorted(new int[] {3, -1, 2})).containsExactly(-1, 2, 3);
        Shop.Item item = new Shop.Item("a", 1, List.of());
        assertThat(shop.copy(item, Map.of("k", List.of(item)))).isEqualTo(new Shop.Item("a", 1, List.of(item)));
    }

    private static PrefetchQueue queue(String method) throws Throwable {
        return queue(method, "PURE");
    }

    private static PrefetchQueue queue(String method, String kind) throws Throwable {
        String site = "NodeContract.test\t1\tShop." + method + "\t" + kind + "\t0";
        MethodType open = MethodType.methodType(PrefetchQueue.class);
        PrefetchQueue queue = (PrefetchQueue) Prefetch.open(MethodHandles.lookup(), "open", open, 8, 0, site)
                .dynamicInvoker()
                .invoke();
        Prefetch.begin(queue);
        assertThat(Prefetch.hasRoom(queue)).isTrue();
        return queue;
    }

    private static MethodHandle sending(String method, Class<?>... parameters) {
        MethodType type = MethodType.methodType(boolean.class, parameters)
                .insertParameterTypes(0, PrefetchQueue.class, Shop.class);
        return Prefetch.send(MethodHandles.lookup(), method, type, 0).dynamicInvoker();
    }

    private static MethodHandle claiming(String method, Class<?>... parameters) {
        MethodType type = MethodType.methodType(Object.class, parameters)
                .insertParameterTypes(0, PrefetchQueue.class, Shop.class);
        return Prefetch.claim(MethodHandles.lookup(), method, type, 0).dynamicInvoker();
    }

    @Test
    void callsThatChangeNothingArePrefetchedAndClaimed() throws Throwable {
        PrefetchQueue queue = queue("pure");

        assertThat((boolean) sending("pure", int.class).invoke(queue, shop, 5)).isTrue();
        Object claimed = claiming("pure", int.class).invoke(queue, shop, 5);

        assertThat(claimed).isNotNull();
        assertThat(Rt.awaitInt(claimed)).isEqualTo(shop.pure(5));
        assertThat((Object) claiming("pure", int.class).invoke(queue, shop, 5)).isNull();
    }

    @Test
    void prefetchedCallsOfOtherArgumentsOrStubsAreGivenUp() throws Throwable {
        PrefetchQueue queue = queue("pure");
        Shop other = client.lookup("shop", Shop.class);
        sending("pure", int.class).invoke(queue, shop, 5);
        assertThat((Object) claiming("pure", int.class).invoke(queue, shop, 6)).isNull();
        sending("pure", int.class).invoke(queue, shop, 5);
        assertThat((Object) claiming("pure", int.class).invoke(queue, other, 5)).isNull();

        sending("pure", int.class).invoke(queue, shop, 7);
        Prefetch.close(queue);
    }

    @Test
    void graphsCompareByWhatWouldBeSent() throws Throwable {
        PrefetchQueue queue = queue("pureCount");
        Map<String, Integer> more = new HashMap<>(Map.of("k", 1));
        Shop.Item item = new Shop.Item("a", 1, new ArrayList<>());
        MethodHandle send = sending("pureCount", Shop.Item.class, Map.class);
        MethodHandle claim = claiming("pureCount", Shop.Item.class, Map.class);
        send.invoke(queue, shop, item, more);
        Object claimed = claim.invoke(queue, shop, new Shop.Item("a", 1, new ArrayList<>()), new HashMap<>(more));
        assertThat(Rt.awaitInt(claimed)).isEqualTo(shop.pureCount(item, more));

        send.invoke(queue, shop, item, more);
        item.parts().add(item("b"));

        assertThat((Object) claim.invoke(queue, shop, item, more)).isNull();
    }

    private static Shop.Item item(String name) {
        return new Shop.Item(name, 1, List.of());
    }

    @Test
    void valuesThatRunCodeOfTheProgramAreNotPrefetched() throws Throwable {
        for (Object any : List.of(
                new IllegalStateException("x"), Collections.unmodifiableList(new ArrayList<>()), new Vector<>())) {
            PrefetchQueue queue = queue("pureName");

            assertThat((boolean) sending("pureName", Object.class).invoke(queue, shop, any))
                    .as(any.getClass().getName())
                    .isFalse();
        }
    }

    @Test
    void localObjectsAndMethodsThatMayChangeSomethingAreNotPrefetched() throws Throwable {
        Shop local = new RealShop("local");

        assertThat((boolean) sending("pure", int.class).invoke(queue("pure"), local, 5))
                .isFalse();
        assertThat((boolean) sending("greet", String.class).invoke(queue("greet"), shop, "x"))
                .isFalse();
    }

    @Test
    void aCallOfAnotherGroupLeavesWhatWasReadAhead() throws Throwable {
        PrefetchQueue queue = queue("stock", "READ_ONLY");
        MethodHandle send = sending("stock", int.class);
        MethodHandle claim = claiming("stock", int.class);

        send.invoke(queue, shop, 1);
        shop.reprice(1, 5);
        Object claimed = claim.invoke(queue, shop, 1);
        assertThat(claimed).isNotNull();
        int before = Rt.awaitInt(claimed);

        send.invoke(queue, shop, 1);
        shop.restock(1, 7);
        assertThat((Object) claim.invoke(queue, shop, 1)).isNull();
        assertThat(shop.stock(1)).isEqualTo(before + 7);

        send.invoke(queue, shop, 1);
        shop.greet("x");
        assertThat((Object) claim.invoke(queue, shop, 1)).isNull();
    }

    @Test
    void callsThatMayChangeSomethingCountAtTheirBeginningAndEnd() {
        long before = Epoch.watch("");
        shop.pure(1);
        assertThat(Epoch.watch("")).isEqualTo(before);

        shop.greet("x");
        assertThat(Epoch.watch("")).isEqualTo(before + 2);

        shop.later("x").join();
        assertThat(Epoch.watch("")).isEqualTo(before + 4);
    }

    @Test
    void defaultAndObjectMethodsAreLocal() {
        assertThat(shop.twice(4)).isEqualTo(8);
        assertThat(shop).hasToString("Shop stub of service shop").isEqualTo(shop);
        assertThat(((Stub) shop).service()).isEqualTo("shop");
    }

    @Test
    void declaredExceptionsArriveAsThemselvesWithTheRemoteStackBelowTheCallers() {
        Throwable thrown = catchThrowable(() -> shop.order("tea"));

        assertThat(thrown).isInstanceOf(Shop.SoldOut.class).hasMessage("no tea");
        assertThat(((Shop.SoldOut) thrown).item.name()).isEqualTo("tea");
        List<String> classes = Arrays.stream(thrown.getStackTrace())
                .map(StackTraceElement::getClassName)
                .toList();
        assertThat(classes.get(0)).startsWith(NodeContract.class.getName());
        assertThat(classes.indexOf(RealShop.class.getName())).isGreaterThan(classes.indexOf(Failures.MARKER));
        assertThat(classes).contains(Failures.MARKER);
    }

    @Test
    void exceptionsOfAnyKindArrive() {
        assertThatThrownBy(() -> shop.fail("checked"))
                .isInstanceOf(IOException.class)
                .hasMessage("disk");
        assertThatThrownBy(() -> shop.fail("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x");
        assertThatThrownBy(() -> shop.fail("error"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("broken");
        assertThatThrownBy(() -> shop.fail("sneaky")).isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> shop.fail("private")).isInstanceOfSatisfying(RemoteFailureException.class, e -> {
            assertThat(e.remoteClass()).isEqualTo(RealShop.Private.class.getName());
            assertThat(e.remoteMessage()).isEqualTo("mine");
            assertThat(e.executed()).isTrue();
            assertThat(e.service()).isEqualTo("shop");
            assertThat(e.replica()).isEqualTo("server");
        });
    }

    @Test
    void refusedArgumentsNameMethodAndParameter() {
        assertThatThrownBy(() -> shop.echo((Runnable) () -> {}))
                .isInstanceOfSatisfying(RefusedTypeException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("Shop.echo: parameter 1 (any): a lambda");
    }

    @Test
    void sentCallsOverlapAndMayBeAwaitedAgain() throws Throwable {
        served.gate = new CountDownLatch(1);
        List<Pending<Void>> pending = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            pending.add(Cleave.async(() -> shop.nothing()));
        }
        await().until(() -> served.executed.get() == 2); // and neither has ended
        served.gate.countDown();
        pending.forEach(Pending::await);

        Pending<Integer> sum = Cleave.async(() -> shop.add(1, 2));
        assertThat(List.of(sum.await(), sum.await())).containsExactly(3, 3);
    }

    @Test
    void asyncTakesVoidCallsAndObjects() {
        assertThat(Cleave.async(() -> shop.nothing()).await()).isNull();
        assertThat(Cleave.async(() -> shop.greet("x")).await()).isEqualTo("hello x");
        assertThat(Cleave.async(() -> shop.not(true)).await()).isFalse();
        assertThat(Cleave.async(() -> shop.mean(new double[] {1}, 1, 1))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(1.0);
        assertThatThrownBy(() -> Cleave.async(() -> shop.order("x")).await()).isInstanceOf(Shop.SoldOut.class);
    }

    @Test
    void asyncRefusesWhatIsNotExactlyOneCall() {
        int before = served.executed.get();

        assertThatThrownBy(() -> Cleave.async(() -> 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no remote call");
        assertThatThrownBy(() -> Cleave.async(() -> shop.add(1, 2) + 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does something with the result");
        assertThatThrownBy(() -> Cleave.async(() -> shop.add(1, shop.add(1, 2))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a second remote call");
        assertThatThrownBy(() -> Cleave.async(() -> shop.greet("x").length()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("NullPointerException");

        assertThat(served.executed.get()).isEqualTo(before);
    }

    @Test
    void futuresComplete() {
        assertThat(shop.later("x").join()).isEqualTo("later x");
        assertThatThrownBy(() -> shop.later("").join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatDependsOnAFutureMayWait() {
        assertThat(shop.later("x").thenApply(text -> text + shop.add(1, 1)).join())
                .isEqualTo("later x2");
    }

    @Test
    void stubsOfOneInterfaceAreOfOneClass() {
        assertThat(client.lookup("shop", Shop.class).getClass()).isSameAs(shop.getClass());
    }

    @Test
    void bindReportsWhatIsWrong() {
        assertThatThrownBy(() -> server.bind("shop", new RealShop("two")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("service shop is bound on this node already (use rebind)");
        assertThatThrownBy(() -> server.bind("text", "x"))
                .hasMessage("java.lang.String implements no remote interface (annotate one with @dev.cleave.Remote)");
        assertThatThrownBy(() -> client.lookup("shop", Runnable.class))
                .hasMessageContaining("java.lang.Runnable is not a remote interface");
    }

    @Test
    void reboundAndUnboundServicesFollow() {
        server.rebind("shop", new RealShop("two"));
        assertThat(shop.replica()).isEqualTo("two");
        assertThat(client.list().get(0).replicas()).hasSize(1);

        server.unbind("shop");

        assertThatThrownBy(() -> shop.replica())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue());
    }

    @Test
    void unknownServicesFailAtLookup() {
        assertThatThrownBy(() -> client.lookup("shoe", Shop.class))
                .isInstanceOf(NoReplicaException.class)
                .hasMessage("service shoe is not known to the broker (bind it first)");
    }

    @Test
    void eightThreadsGetTheirOwnResults() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int base = t << 20;
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < EACH; i++) {
                        assertThat(shop.add(base, i)).isEqualTo(base + i);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failure.get()).isNull();
        assertThat(served.executed.get()).isEqualTo(8 * EACH);
    }
}
