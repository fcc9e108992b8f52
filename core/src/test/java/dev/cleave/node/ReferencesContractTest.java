package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.Ref;
import dev.cleave.RefusedTypeException;
import dev.cleave.Remote;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import dev.cleave.config.Bindings;
import dev.cleave.node.Desk.Listener;
import dev.cleave.node.Desk.Matrix;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for references between nodes over any transport. */
abstract class ReferencesContractTest {

    private static final int MOST = 1 << 14;

    private final List<Node> open = new ArrayList<>();
    private Transport transport;
    private FakeBroker broker;
    private Node server;
    private Node client;
    private RealDesk served;
    private Desk desk;

    abstract Transport transport();

    abstract Endpoint door();

    @BeforeEach
    void connect() {
        transport = transport();
        broker = FakeBroker.start(transport, door());
        server = node(NodeOptions.DEFAULT.withName("server").withCapacity(1, 8));
        client = node(NodeOptions.DEFAULT.withName("client").withCapacity(1, 8));
        served = new RealDesk(server);
        server.bind("desk", served);
        desk = client.lookup("desk", Desk.class);
    }

    @AfterEach
    void close() {
        open.forEach(Node::close);
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private Node node(NodeOptions options) {
        Node node = Node.connect(options.withBroker(broker.endpoint()).withTransport(transport));
        open.add(node);
        return node;
    }

    /** A second server, and the first one's view of it. */
    private RealDesk second() {
        Node node = node(NodeOptions.DEFAULT.withName("second"));
        RealDesk desk = new RealDesk(node);
        node.bind("second", desk);
        return desk;
    }

    private static void awaitCollected(WeakReference<?> reference) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    System.gc();
                    return reference.get() == null;
                });
    }

    private static void awaitExported(Node node, int count) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    System.gc();
                    return node.exportedObjects() == count;
                });
    }

    @Test
    void callbacksRunWhileTheCallerWaitsWithOneWorkerOnEachSide() {
        AtomicInteger heard = new AtomicInteger();
        Listener listener = text -> heard.addAndGet(text.length());

        assertThat(desk.call(listener, "four")).isEqualTo(4);
        assertThat(desk.call(listener, "six!!!")).isEqualTo(10);
        assertThat(desk.call(null, "nobody")).isEqualTo(-1);
    }

    @Test
    void callbacksComeLaterToo() {
        desk.keep(String::length);

        assertThat(desk.callKept("four")).isEqualTo(4);
    }

    @Test
    void whatACallbackThrowsIsThrownThereAsItself() {
        assertThatThrownBy(() -> desk.call(
                        text -> {
                            throw new IllegalStateException("not now");
                        },
                        "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("not now");
    }

    @Test
    void referencesTravelInCollectionsAndFields() {
        Listener length = String::length;
        Listener ten = text -> 10;

        assertThat(desk.callAll(List.of(length, ten, length), "four")).isEqualTo(18);
        assertThat(desk.callIn(new Desk.Subscription("topic", length), "four")).isEqualTo(9);
    }

    @Test
    void resultsAreReferencesWhereARemoteInterfaceIsDeclared() {
        Listener made = desk.make(100);

        assertThat(made).isInstanceOf(Stub.class);
        assertThat(made.heard("four")).isEqualTo(104);
        assertThat(made.twice("four")).isEqualTo(208);
        assertThat(desk.makeMany(3)).extracting(l -> l.heard("")).containsExactly(0, 1, 2);
    }

    @Test
    void aReferenceThatComesHomeIsTheObjectItself() {
        Listener mine = String::length;

        assertThat(desk.echo(mine)).isSameAs(mine);
        assertThat(desk.isMine(desk.make(1))).isTrue();
        assertThat(desk.isMine(mine)).isFalse();
    }

    @Test
    void oneObjectIsOneStub() {
        Listener mine = String::length;
        Listener other = text -> 1;
        Listener theirs = desk.make(1);

        assertThat(desk.areSame(mine, mine)).isTrue();
        assertThat(desk.areSame(mine, other)).isFalse();
        assertThat(desk.areSame(theirs, theirs)).isTrue();
    }

    @Test
    void stubsOfOneObjectAreEqualWhereverTheyComeFrom() {
        second();
        Desk other = client.lookup("second", Desk.class);
        Listener direct = desk.make(1);
        Listener around = other.echo(direct);
        Listener another = desk.make(1);

        assertThat(around).isEqualTo(direct).hasSameHashCodeAs(direct);
        assertThat(another).isNotEqualTo(direct);
        assertThat(direct.toString()).startsWith("Listener of node server #");
        assertThat(desk).isNotEqualTo(direct);
    }

    @Test
    void stubsOfReferencesSendAheadAndFailAsOthersDo() throws Throwable {
        Listener made = desk.make(100);
        Method send = made.getClass().getMethod("heard$send", String.class);
        send.setAccessible(true);
        Handle handle = (Handle) send.invoke(made, "four");
        Pending<Integer> pending = Cleave.async(() -> made.heard("five!"));

        assertThat(handle.awaitInt()).isEqualTo(104);
        assertThat(pending.await()).isEqualTo(105);
    }

    @Test
    void deadlinesHoldForCallbacks() throws Exception {
        Bindings file = Bindings.parse("services: {desk: {methods: {call: {deadline: 200ms}}}}", "cleave.yaml");
        Desk hurried =
                node(NodeOptions.DEFAULT.withName("hurried").withBindings(file)).lookup("desk", Desk.class);
        CountDownLatch gate = new CountDownLatch(1);

        assertThatThrownBy(() -> hurried.call(
                        text -> {
                            try {
                                gate.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return 0;
                        },
                        "x"))
                .isInstanceOf(DeadlineException.class);
        gate.countDown();
    }

    @Test
    void aServiceIsPassedAsTheServiceItself() {
        Desk back = desk.introduce(desk);

        assertThat(back.call(String::length, "four")).isEqualTo(4);
        assertThat(((Stub) back).service()).isEqualTo("desk");
    }

    @Test
    void callbacksReachAClientThatCannotBeDialledThroughASecondServer() {
        RealDesk second = second();
        Desk other = client.lookup("second", Desk.class);

        assertThat(desk.through(other, String::length, "four")).isEqualTo(4);
        assertThat(second.executed).hasValue(1);
    }

    @Test
    void failuresOfAStandInAreThoseOfTheOwner() {
        second();
        Desk other = client.lookup("second", Desk.class);
        Listener mine = String::length;
        desk.keep(mine);
        Desk fromServer = server.lookup("second", Desk.class);
        fromServer.keep(served.kept);
        assertThat(other.callKept("four")).isEqualTo(4);

        client.unexport(mine);

        assertThatThrownBy(() -> other.callKept("four")).isInstanceOf(CallException.class);
        assertThatThrownBy(() -> fromServer.callKept("four"))
                .isInstanceOfSatisfying(NoSuchReferenceException.class, e -> assertThat(e.maybeExecuted())
                        .isFalse())
                .hasMessageContaining("node client has no such object");
    }

    @Test
    void anObjectIsReleasedWhenNobodyHoldsItAnyMore() {
        Listener mine = new Listener() {
            @Override
            public int heard(String text) {
                return text.length();
            }
        };
        WeakReference<Listener> weak = new WeakReference<>(mine);
        desk.keep(mine);
        mine = null;
        System.gc();
        assertThat(desk.callKept("four")).isEqualTo(4);
        assertThat(client.exportedObjects()).isEqualTo(1);

        desk.forget();

        awaitCollected(weak);
        awaitExported(client, 0);
    }

    @Test
    void whatAClientHoldsIsReleasedWhenItsConnectionEnds() {
        Node leaving = node(NodeOptions.DEFAULT.withName("leaving"));
        List<Listener> held = leaving.lookup("desk", Desk.class).makeMany(100);
        assertThat(held.get(99).heard("")).isEqualTo(99);
        assertThat(server.exportedObjects()).isEqualTo(100);

        leaving.close();

        awaitExported(server, 0);
        assertThatThrownBy(() -> held.get(0).heard(""))
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.notExecuted())
                        .isTrue());
    }

    @Test
    void callbacksToAClientThatIsGoneFailUnexecuted() {
        Node leaving = node(NodeOptions.DEFAULT.withName("leaving"));
        leaving.lookup("desk", Desk.class).keep(String::length);
        Listener kept = served.kept;
        assertThat(kept.heard("four")).isEqualTo(4);

        leaving.close();

        await().untilAsserted(() -> assertThatThrownBy(() -> kept.heard("four"))
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("the connection to node leaving, over which the reference came, is gone"));
    }

    @Test
    void aCallbackUnderWayWhenItsClientDiesIsInDoubt() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        Node leaving = node(NodeOptions.DEFAULT.withName("leaving"));
        leaving.lookup("desk", Desk.class).keep(text -> {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        });
        Listener kept = served.kept;
        Pending<Integer> pending = Cleave.async(() -> kept.heard("x"));
        entered.await();

        leaving.close();

        assertThatThrownBy(pending::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
        gate.countDown();
    }

    @Test
    void exportedObjectsStayUntilTheyAreUnexported() {
        AtomicInteger heard = new AtomicInteger();
        Listener exported = client.export(Listener.class, text -> heard.incrementAndGet());
        desk.keep(exported);
        desk.forget();
        System.gc();
        assertThat(client.exportedObjects()).isEqualTo(1);
        desk.keep(exported);
        assertThat(desk.callKept("x")).isEqualTo(1);

        assertThat(client.unexport(exported)).isTrue();

        assertThat(client.unexport(exported)).isFalse();
        assertThatThrownBy(() -> served.kept.heard("x"))
                .isInstanceOfSatisfying(NoSuchReferenceException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("node client has no such object");
        assertThat(heard).hasValue(1);
    }

    /** Two remote interfaces at once. */
    static final class Both implements Listener, Desk.Other {

        @Override
        public int heard(String text) {
            return 7;
        }

        @Override
        public void nothing() {}
    }

    @Test
    void anObjectOfSeveralRemoteInterfacesIsExportedThroughOne() {
        Both both = new Both();
        assertThatThrownBy(() -> desk.call(both, "x"))
                .isInstanceOf(RefusedTypeException.class)
                .hasMessageContaining("implements several remote interfaces")
                .hasMessageContaining("export it through one of them");
        assertThatThrownBy(() -> client.export(both)).hasMessageContaining("implements several remote interfaces");

        Listener listener = client.export(Listener.class, both);

        assertThat(desk.call(listener, "x")).isEqualTo(7);
        assertThatThrownBy(() -> client.export(Desk.Other.class, both))
                .hasMessageContaining("is exported as dev.cleave.node.Desk$Listener");
    }

    /** Named by nobody. */
    @Remote
    interface Unknown {

        void nothing();
    }

    @Test
    void objectsOfInterfacesThatAreNotNamedAreRefusedUnexecuted() {
        Shop shop = shop();

        assertThatThrownBy(() -> shop.echo(client.export(Unknown.class, () -> {})))
                .isInstanceOfSatisfying(RefusedTypeException.class, e -> assertThat(e.notExecuted())
                        .isTrue());
        assertThatThrownBy(() -> shop.echo(client.put("x"))).isInstanceOf(RefusedTypeException.class);
        assertThatThrownBy(() -> shop.echo(desk)).isInstanceOf(RefusedTypeException.class);
    }

    private Shop shop() {
        server.bind("shop", new RealShop("one"));
        return client.lookup("shop", Shop.class);
    }

    @Test
    void moreObjectsThanOneConnectionMayHoldAreRefusedUnexecuted() {
        List<Listener> most =
                IntStream.range(0, MOST).<Listener>mapToObj(i -> text -> i).toList();
        List<Listener> kept = new ArrayList<>(most);
        kept.add(text -> -1);

        assertThatThrownBy(() -> desk.callAll(kept, "x"))
                .isInstanceOfSatisfying(OverloadException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("would hold 16385 more (expected: at most 16384 over one connection)");

        assertThat(served.executed).hasValue(0);
        assertThat(desk.call(String::length, "four")).isEqualTo(4);
        assertThat(client.pendingCalls()).isZero();
    }

    @Test
    void resultsWithMoreObjectsThanOneConnectionMayHoldFailAfterTheMethodRan() {
        assertThatThrownBy(() -> desk.makeMany(MOST + 1))
                .isInstanceOfSatisfying(
                        OverloadException.class, e -> assertThat(e.executed()).isTrue());
        assertThat(desk.make(1).heard("")).isEqualTo(1);
    }

    @Test
    void aValueStaysAndItsReferenceTravels() {
        Matrix matrix = new Matrix(1, new double[] {1, 2, 3.5});
        Ref<Matrix> ref = client.put(matrix);

        assertThat(ref.get()).isSameAs(matrix);
        assertThat(desk.sum(ref)).isEqualTo(6.5);
        matrix.cells()[0] = 2;
        assertThat(desk.sum(ref)).isEqualTo(7.5);
    }

    @Test
    void aMethodMayReturnAReferenceOfAValue() {
        Ref<Matrix> ref = desk.put(new Matrix(1, new double[] {1, 2}));

        assertThat(ref.get().cells()).containsExactly(1, 2);
        assertThat(desk.sum(ref)).isEqualTo(3);
        assertThat(desk.isHere(ref)).isTrue();
        assertThat(Cleave.async(() -> ref.get()).await().rows()).isEqualTo(1);
    }

    @Test
    void aReferencePassedToASecondServerIsFetchedFromItsOwner() {
        RealDesk second = second();
        Desk other = client.lookup("second", Desk.class);
        Ref<Matrix> ref = desk.put(new Matrix(1, new double[] {1, 2}));

        assertThat(other.sum(ref)).isEqualTo(3);
        assertThat(other.hold(ref)).isEqualTo(ref).hasSameHashCodeAs(ref);
        assertThat(second.held.get().cells()).containsExactly(1, 2);

        ref.free();
        assertThatThrownBy(() -> second.held.get()).isInstanceOf(NoSuchReferenceException.class);
    }

    @Test
    void aReferenceHeldByASecondServerKeepsTheValue() {
        RealDesk second = second();
        Desk other = client.lookup("second", Desk.class);
        other.hold(desk.put(new Matrix(1, new double[] {1, 2})));
        desk.forget();
        second.held.get(); // the owner has heard of the second holder
        client.close();

        System.gc();

        assertThat(second.held.get().cells()).containsExactly(1, 2);
    }

    @Test
    void aClientsValueReachesASecondServerThroughTheFirst() {
        second();
        Desk other = client.lookup("second", Desk.class);
        Ref<Matrix> ref = client.put(new Matrix(1, new double[] {1, 2}));

        assertThat(desk.sumThrough(other, ref)).isEqualTo(3);
    }

    @Test
    void freedValuesAreGoneForAll() {
        Ref<Matrix> ref = desk.put(new Matrix(1, new double[] {1, 2}));
        WeakReference<Matrix> weak = new WeakReference<>(served.last);
        served.last = null;

        ref.close();

        assertThatThrownBy(ref::get)
                .isInstanceOfSatisfying(NoSuchReferenceException.class, e -> assertThat(e.notExecuted())
                        .isTrue());
        ref.free();
        awaitCollected(weak);
        Ref<String> mine = client.put("x");
        mine.free();
        assertThatThrownBy(mine::get).hasMessage("Ref.get: the value has been freed");
    }

    @Test
    void valuesAreReleasedWhenTheConnectionOfTheirHolderEnds() {
        Node leaving = node(NodeOptions.DEFAULT.withName("leaving"));
        Ref<Matrix> ref = leaving.lookup("desk", Desk.class).put(new Matrix(1, new double[1 << 16]));
        WeakReference<Matrix> weak = new WeakReference<>(served.last);
        served.last = null;
        System.gc();
        assertThat(ref.get().rows()).isEqualTo(1);

        leaving.close();

        awaitCollected(weak);
        awaitExported(server, 0);
        assertThatThrownBy(ref::get).isInstanceOf(ConnectionLostException.class);
        ref.free();
    }

    @Test
    void valuesWhoseOwnerIsGoneFailTyped() {
        Ref<Matrix> ref = desk.put(new Matrix(1, new double[] {1}));

        server.close();

        await().untilAsserted(() -> assertThatThrownBy(ref::get).isInstanceOf(ConnectionLostException.class));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // what the compiler would not let through
    void valuesOfTypesThatAreNotAllowedAreRefused() {
        record Hidden(int x) {}
        Ref wrong = client.put(new Hidden(1));

        assertThatThrownBy(() -> desk.sum((Ref<Matrix>) wrong))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("an anonymous or local class");
    }

    @Test
    void mistakesInANamedInterfaceAreToldAtOnce() {
        assertThatThrownBy(() -> client.lookup("desk", Naming.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Broken.run: parameter 1")
                .hasMessageContaining("java.lang.Thread");
        assertThatThrownBy(() -> server.bind("~desk", served)).hasMessageContaining("does not begin with ~");
    }

    /** Names an interface with a mistake. */
    @Remote
    interface Naming {

        void run(Broken broken);
    }

    /** Has a parameter that cannot be sent. */
    @Remote
    interface Broken {

        void run(Thread thread);
    }
}
