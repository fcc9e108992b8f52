package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.config.Pings;
import dev.cleave.node.ObjectNode;
import dev.cleave.ref.Offer;
import dev.cleave.serial.Reference;
import dev.cleave.server.Server;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chains and groups of calls to objects that have no name, as RMI programs have them. */
@Tag("one-jdk")
@Timeout(180)
class ObjectOrderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FILE = """
            services:
              book:
                interface: dev.cleave.rmi.ObjectOrderTest$Book
                methods:
                  add: {style: chained}
                  append: {style: chained}
                  put: {style: async, group: entries}
                  look: {style: async}
            """;

    private final ObjectNode server = node("server", Bindings.NONE);
    private final ObjectNode client = node("client", Bindings.parse(FILE, "cleave.yaml"));
    private final Endpoint at = server.listen(Endpoint.tcp("localhost", 0)).endpoint();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<Object> written = new ArrayList<>(); // a node keeps no object alive that no peer holds yet

    public interface Book extends Remote {

        int add(int entry) throws RemoteException;

        void append(Object entry) throws RemoteException;

        int put(int entry) throws RemoteException, InterruptedException;

        int look(int entry) throws RemoteException;
    }

    /** Refuses 13; a put of 0 ends when it is released. */
    private final class WrittenBook implements Book {

        private final String name;

        WrittenBook(String name) {
            this.name = name;
        }

        @Override
        public int add(int entry) {
            log.add(name + entry);
            if (entry == 13) {
                throw new IllegalStateException("unlucky");
            }
            return 10 * entry;
        }

        @Override
        public void append(Object entry) {
            log.add(name + entry);
        }

        @Override
        public int put(int entry) throws InterruptedException {
            log.add(name + entry);
            if (entry == 0) {
                released.await();
                log.add("released");
            }
            return entry;
        }

        @Override
        public int look(int entry) {
            return entry;
        }
    }

    private static ObjectNode node(String name, Bindings bindings) {
        return ObjectNode.start(
                name,
                NettyTransport.create(),
                bindings,
                Pings.DEFAULT,
                new JavaFormat(),
                new Server.Capacity(100, 100));
    }

    private Book book(String name, int number) {
        WrittenBook book = new WrittenBook(name);
        written.add(book);
        server.offer(book, new Reference.Number(7, number), new Offer(Book.class, "", (unheld, isLost) -> {}));
        return stub(number);
    }

    private Book stub(int number) {
        return (Book) client.stub(Book.class, new Reference.Number(7, number), "server", at);
    }

    @AfterEach
    void close() {
        released.countDown();
        client.close();
        server.close();
    }

    private static Handle sent(Book book, String name, Class<?> type, Object argument) throws Exception {
        Method send = book.getClass().getMethod(name + "$send", type);
        send.setAccessible(true);
        return requireNonNull((Handle) send.invoke(book, argument), "not sent");
    }

    private static Handle chained(Book book, Chain chain, String name, Class<?> type, Object argument)
            throws Exception {
        Method send = book.getClass().getMethod(name + "$chain", Chain.class, type);
        send.setAccessible(true);
        try {
            return (Handle) send.invoke(book, chain, argument);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static Object result(Handle sent) throws Exception {
        try {
            return sent.await();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static int number(Handle sent) throws Exception {
        try {
            return sent.awaitInt();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aChainOfObjectsOfOneNodeIsExecutedInOrderUpToTheFirstFailure() throws Exception {
        Book left = book("left", 1);
        Book right = book("right", 2);
        Chain chain = Chain.stopping();

        Handle first = chained(left, chain, "add", int.class, 1);
        Handle second = chained(right, chain, "add", int.class, 2);
        Handle third = chained(left, chain, "add", int.class, 13);
        Handle fourth = chained(right, chain, "add", int.class, 4);

        assertThat(number(first)).isEqualTo(10);
        assertThat(number(second)).isEqualTo(20);
        assertThatIllegalStateException().isThrownBy(() -> number(third)).withMessage("unlucky");
        fourth.discard();
        await().atMost(PATIENCE).until(chain::isBroken);
        assertThat(right.look(5)).isEqualTo(5);
        assertThat(log).containsExactly("left1", "right2", "left13");

        chain.renew();
        assertThat(number(chained(right, chain, "add", int.class, 6))).isEqualTo(60);
        chain.end();
    }

    @Test
    void nothingIsExecutedBehindACallOfAnObjectThatIsGone() throws Exception {
        Book left = book("left", 1);
        Book gone = stub(3);
        Chain chain = Chain.stopping();

        Handle first = chained(left, chain, "add", int.class, 1);
        Handle second = chained(gone, chain, "add", int.class, 2);
        Handle third = chained(left, chain, "add", int.class, 3);

        assertThat(number(first)).isEqualTo(10);
        assertThat(catchFailure(second)).isInstanceOf(java.rmi.NoSuchObjectException.class);
        third.discard();
        assertThat(left.look(5)).isEqualTo(5);
        assertThat(log).containsExactly("left1");
        chain.end();
    }

    private static Throwable catchFailure(Handle call) {
        try {
            return new AssertionError(result(call));
        } catch (Throwable e) {
            return e;
        }
    }

    private static final class Counted implements Serializable {

        private static final long serialVersionUID = 1;
        private static final AtomicInteger WRITTEN = new AtomicInteger();

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            WRITTEN.incrementAndGet();
        }

        @Override
        public String toString() {
            return "counted";
        }
    }

    @Test
    void anArgumentWhoseWritingRunsCodeOfTheProgramIsNotSentInAChain() throws Exception {
        Book book = book("left", 1);
        Chain chain = Chain.stopping();

        assertThat(chained(book, chain, "append", Object.class, new Counted())).isNull();
        assertThat(Counted.WRITTEN).hasValue(0);
        assertThat(log).isEmpty();

        Handle behind = chained(
                book, chain, "append", Object.class, "behind"); // is to be executed after the one that was not sent
        behind.discard();
        assertThat(log).isEmpty();

        chain.renew();
        Handle plain = chained(book, chain, "append", Object.class, "plain");
        assertThat(catchFailure(plain)).isInstanceOf(AssertionError.class); // there is a result, none
        chain.end();
        assertThat(log).containsExactly("leftplain");
    }

    @Test
    void callsOfAGroupToObjectsOfOneNodeDoNotOverlap() throws Exception {
        Book left = book("left", 1);
        Book again = stub(1);
        Book right = book("right", 2);

        Handle first = sent(left, "put", int.class, 0);
        Handle second = sent(right, "put", int.class, 2);
        Handle third = sent(again, "put", int.class, 3);
        for (int i = 0; i < 100; i++) { // they would have run by then
            assertThat(number(sent(right, "look", int.class, i))).isEqualTo(i);
        }
        assertThat(log).containsExactly("left0");
        released.countDown();

        assertThat(right.put(4)).isEqualTo(4); // at its place, behind those that were sent
        assertThat(number(first)).isZero();
        assertThat(number(second)).isEqualTo(2);
        assertThat(number(third)).isEqualTo(3);
        assertThat(log).containsExactly("left0", "released", "right2", "left3", "right4");
    }
}
