package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import dev.cleave.config.Bindings;
import dev.cleave.config.Pings;
import dev.cleave.node.ObjectNode;
import dev.cleave.ref.Offer;
import dev.cleave.ref.Target;
import dev.cleave.serial.Reference;
import dev.cleave.server.RunningCall;
import dev.cleave.server.Server;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes as RMI programs have them, without RMI: calls, failures, leases. */
@Timeout(180)
class ObjectNodeTest {

    private static final Reference.Number NUMBER = new Reference.Number(7, 9);

    private final ObjectNode server = node("server");
    private final ObjectNode client = node("client");
    private final AtomicReference<Boolean> left = new AtomicReference<>();

    public interface Desk extends Remote {

        Object echo(Object value) throws RemoteException;

        String same(int[] a, int[] b) throws RemoteException;

        void fail(String how) throws RemoteException;

        void block() throws RemoteException, InterruptedException;

        default String place() throws RemoteException {
            return this instanceof DeskImpl ? "server" : "client";
        }
    }

    private static final class DeskImpl implements Desk {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final LampImpl lamp = new LampImpl();

        @Override
        public Object echo(Object value) {
            return "opaque".equals(value) ? new Object() : "lamp".equals(value) ? lamp : value;
        }

        @Override
        public String same(int[] a, int[] b) {
            return String.valueOf(a == b);
        }

        @Override
        public void fail(String how) throws RemoteException {
            if (how.equals("remote")) {
                throw new RemoteException("of the server");
            }
            throw new AssertionError(how);
        }

        @Override
        public void block() throws InterruptedException {
            begun.countDown();
            new CountDownLatch(1).await();
        }
    }

    private static ObjectNode node(String name) {
        return ObjectNode.start(
                "rmi-" + name,
                NettyTransport.create(),
                Bindings.NONE,
                Pings.DEFAULT,
                new JavaFormat(),
                new Server.Capacity(100, 100));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Desk desk(Desk object) {
        Listener listener = server.listen(Endpoint.tcp("localhost", 0));
        server.offer(object, NUMBER, new Offer(Desk.class, "", (desk, isLost) -> left.set(isLost)));
        return (Desk) client.stub(Desk.class, NUMBER, "rmi-server", listener.endpoint());
    }

    @Test
    void valuesAreSerializedAsJavaDoes() throws RemoteException {
        Desk desk = desk(new DeskImpl());
        int[] array = {1};

        assertThat(desk.echo(List.of(1, "two"))).isEqualTo(List.of(1, "two"));
        assertThat(desk.echo(null)).isNull();
        assertThat(desk.same(array, array)).isEqualTo("true");
        assertThat(desk.same(array, array.clone())).isEqualTo("false");
    }

    @Test
    void defaultMethodsRunAtTheServer() throws RemoteException {
        assertThat(desk(new DeskImpl()).place()).isEqualTo("server");
    }

    private static final class Counted implements Serializable {

        private static final long serialVersionUID = 1;
        private static final AtomicInteger WRITTEN = new AtomicInteger();

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            WRITTEN.incrementAndGet();
        }
    }

    @Test
    void argumentsWhoseWritingRunsCodeOfTheProgramAreNotSentBeforeTheirPlace() throws Exception {
        Desk desk = desk(new DeskImpl());
        Method send = desk.getClass().getMethod("echo$send", Object.class);
        send.setAccessible(true);

        assertThat(send.invoke(desk, new Counted())).isNull();
        assertThat(send.invoke(desk, List.of(new Counted()))).isNull();
        assertThat(Counted.WRITTEN).hasValue(0);

        assertThat(desk.echo(new Counted())).isInstanceOf(Counted.class);
        Handle sent = (Handle) send.invoke(desk, List.of("plain"));
        assertThat(result(sent)).isEqualTo(List.of("plain"));
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

    @Test
    void failuresAreThoseOfRmi() throws RemoteException {
        Desk desk = desk(new DeskImpl());

        assertThatExceptionOfType(MarshalException.class)
                .isThrownBy(() -> desk.echo(new Object()))
                .withCauseInstanceOf(NotSerializableException.class);
        assertThatExceptionOfType(UnmarshalException.class).isThrownBy(() -> desk.echo("opaque"));
        assertThatExceptionOfType(ServerException.class)
                .isThrownBy(() -> desk.fail("remote"))
                .withCauseInstanceOf(RemoteException.class)
                .withMessageContaining("of the server");
        assertThatExceptionOfType(ServerError.class)
                .isThrownBy(() -> desk.fail("error"))
                .withCauseInstanceOf(AssertionError.class);
        assertThat(desk.echo("on")).isEqualTo("on");
    }

    @Test
    void anObjectThatIsTakenBackIsGone() throws RemoteException {
        DeskImpl object = new DeskImpl();
        Desk desk = desk(object);
        assertThat(desk.echo(1)).isEqualTo(1);

        assertThat(server.withdraw(object)).isTrue();

        assertThatExceptionOfType(NoSuchObjectException.class).isThrownBy(() -> desk.echo(1));
    }

    @Test
    void aLostConnectionIsToldApartFromOneThatWasNeverMade() throws Exception {
        DeskImpl object = new DeskImpl();
        Desk desk = desk(object);
        CompletableFuture<Throwable> blocked = CompletableFuture.supplyAsync(() -> {
            try {
                desk.block();
                return new AssertionError("the call has returned");
            } catch (RemoteException | InterruptedException e) {
                return e;
            }
        });
        object.begun.await();
        assertThat(RunningCall.isOf(object)).isTrue();
        assertThat(RunningCall.isOf(new DeskImpl())).isFalse();

        server.close();

        assertThat(blocked.join()).isInstanceOf(UnmarshalException.class);
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> desk.echo(1));
    }

    @Test
    void aStubDialsAgainWhenItsConnectionHasEnded() throws RemoteException {
        DeskImpl object = new DeskImpl();
        Desk desk = desk(object);
        assertThat(desk.echo(1)).isEqualTo(1);

        ObjectNode second = node("server-2");
        try {
            Listener listener = second.listen(Endpoint.tcp("localhost", 0));
            second.offer(object, NUMBER, new Offer(Desk.class, "", (gone, isLost) -> {}));
            Desk other = (Desk) client.stub(Desk.class, NUMBER, "rmi-server-2", listener.endpoint());
            assertThat(other.echo(2)).isEqualTo(2);
            Endpoint at = listener.endpoint();
            second.close();
            assertThatExceptionOfType(RemoteException.class).isThrownBy(() -> other.echo(3));

            ObjectNode third = node("server-3");
            third.listen(at);
            third.offer(object, NUMBER, new Offer(Desk.class, "", (gone, isLost) -> {}));
            try {
                await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> other.echo(4)
                        .equals(4));
            } finally {
                third.close();
            }
        } finally {
            second.close();
        }
    }

    @Test
    void aClientThatIsGoneLeavesItsObjects() throws RemoteException {
        DeskImpl object = new DeskImpl();
        Desk desk = desk(object);
        assertThat(desk.echo(1)).isEqualTo(1);
        await().atMost(Duration.ofSeconds(60)).until(() -> server.isHeld(object));

        client.close();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(left.get()).isTrue());
        assertThat(server.isHeld(object)).isFalse();
    }

    public interface Thing extends Remote {

        Thing self() throws RemoteException;

        String name() throws RemoteException;
    }

    public interface Lamp extends Thing {

        @Override
        Lamp self() throws RemoteException;
    }

    private static final class LampImpl implements Lamp {

        @Override
        public Lamp self() {
            return this;
        }

        @Override
        public String name() {
            return "lamp";
        }
    }

    @Test
    void anObjectIsReachedAtItsOwnEndpointThroughInterfacesThatNarrowResults() throws RemoteException {
        DeskImpl object = new DeskImpl();
        Reference.Number number = new Reference.Number(7, 10);
        server.offer(object.lamp, number, new Offer(Lamp.class, "tcp://second:2", (lamp, isLost) -> {}));
        Lamp lamp = (Lamp) desk(object).echo("lamp");

        Thing self = ((Thing) lamp).self();

        assertThat(self).isInstanceOf(Lamp.class).isEqualTo(lamp.self().self());
        assertThat(self.name()).isEqualTo("lamp");
        Target target = (Target) requireNonNull(((Stub) self).target());
        assertThat(target.reference().owner().endpoint()).isEqualTo("tcp://second:2");
    }
}
