package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.Serial;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.config.Bindings;
import dev.cleave.ref.References;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Methods;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server and one caller, frame by frame: its workers are real threads, its clock and its connection are those of the test. */
@Tag("one-jdk")
class ServedCallsTest {

    private static final Endpoint DOOR = Endpoint.local("served-calls");
    private static final List<String> METHODS = List.of("hold", "one", "two", "three");
    private static final int REST = 2 * METHODS.size(); // the number of another method of the first service

    private final FakeTimer timer = new FakeTimer();
    private final Caller caller = new Caller();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Semaphore gate = new Semaphore(0);
    private Server server;
    private Link link;

    @Remote
    interface Desk {

        void hold();

        void rest();

        void one();

        void two();

        void three();
    }

    /** Writes down which of its methods begin; {@code hold} and {@code rest} wait for the gate. */
    private class PlainDesk implements Desk {

        @Override
        public void hold() {
            begun.add("hold");
            gate.acquireUninterruptibly();
        }

        @Override
        public void rest() {
            begun.add("rest");
            try {
                gate.acquire();
                begun.add("rested");
            } catch (InterruptedException e) {
                begun.add("interrupted");
            }
        }

        @Override
        public void one() {
            begun.add("one");
        }

        @Override
        public void two() {
            begun.add("two");
        }

        @Override
        public void three() {
            begun.add("three");
        }
    }

    @Serial
    private final class SerialDesk extends PlainDesk {}

    /** The caller's end of the connection: writes down the answers. */
    private static final class Caller implements Connection {

        private final List<String> answers = new CopyOnWriteArrayList<>();
        private volatile boolean closed;

        @Override
        public ByteBufAllocator allocator() {
            return UnpooledByteBufAllocator.DEFAULT;
        }

        @Override
        public void write(ByteBuf frame) {
            FrameKind kind = Header.kind(frame);
            if (kind == FrameKind.REPLY || kind == FrameKind.FAILURE) {
                answers.add(kind + " " + Header.id(frame));
            }
            frame.release();
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void reading(boolean enabled) {}

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Endpoint peer() {
            return DOOR;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Lets the caller in as soon as the node listens. */
    private final class OneCaller implements Transport {

        private FrameHandler handler;

        @Override
        public Connection connect(Endpoint endpoint, FrameHandler there) {
            throw new AssertionError("no peer is dialled");
        }

        @Override
        public Listener listen(Endpoint endpoint, Acceptor acceptor) {
            FrameHandler accepted = acceptor.accept(caller);
            handler = accepted;
            accepted.onOpen(caller);
            say(Hello.of("caller", 2));
            return new Listener() {
                @Override
                public Endpoint endpoint() {
                    return endpoint;
                }

                @Override
                public void close() {}
            };
        }

        void say(Frame said) {
            ByteBuf frame = said.write(caller.allocator());
            handler.onFrame(caller, frame);
            frame.release();
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        gate.release(1 << 10);
        server.close();
    }

    private void serve(int workers, int queue) {
        Hello hello = Hello.of("here", 1);
        InterfaceReader interfaces = new InterfaceReader(Bindings.NONE);
        References references = new References(hello, interfaces, timer, new SecureRandom());
        LinkContext context = LinkContext.of(hello, references, timer, new ReceiveBudget(1 << 20));
        server = Server.start(context, references, new Server.Capacity(workers, queue));
        server.add(interfaces.read("desk", Desk.class), new PlainDesk());
        server.add(interfaces.read("serial", Desk.class), new SerialDesk());
        OneCaller transport = new OneCaller();
        Link.listen(transport, DOOR, context, new LinkOwner() {
            @Override
            public void onOpened(Link opened) {
                link = opened;
            }
        });
        List<Methods.Method> named = new ArrayList<>();
        for (String service : List.of("desk", "serial")) {
            for (String method : METHODS) {
                named.add(new Methods.Method(named.size(), service, method + "()V"));
            }
        }
        named.add(new Methods.Method(REST, "desk", "rest()V"));
        transport.say(new Methods(0, named));
    }

    private void send(long id, String method) {
        send(id, method, Duration.ofHours(1), RequestOptions.NONE);
    }

    private void send(long id, String method, Duration deadline, RequestOptions options) {
        request(id, METHODS.indexOf(method), deadline, options);
    }

    private void sendSerial(long id, String method) {
        request(id, METHODS.size() + METHODS.indexOf(method), Duration.ofHours(1), RequestOptions.NONE);
    }

    private void request(long id, int number, Duration deadline, RequestOptions options) {
        ByteBuf frame = new RequestHead(0, id, number, deadline.toNanos() / 1_000, options).write(caller.allocator());
        server.onRequest(link, frame);
        frame.release();
    }

    /** A first call runs, and waits for the gate. */
    private void hold() {
        send(1, "hold");
        awaitBegun("hold");
    }

    private void awaitBegun(String method) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> begun.contains(method));
    }

    /** Lets time pass meanwhile: a worker is called after some of it if another one is long at its call. */
    private void awaitAnswers(int count) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            timer.advance(Duration.ofMillis(1));
            return caller.answers.size() >= count;
        });
    }

    @Test
    void aCallThatIsRefusedBecauseItsTimeIsOverDoesNotRun() {
        serve(1, 8);
        hold();
        send(2, "one", Duration.ofMillis(50), RequestOptions.NONE);

        timer.advance(Duration.ofMillis(60));
        gate.release();
        send(3, "two");
        awaitAnswers(3);

        assertThat(begun).containsExactly("hold", "two");
        assertThat(caller.answers).containsExactly("REPLY 1", "FAILURE 2", "REPLY 3");
    }

    @Test
    void aCallThatIsRefusedForWantOfRoomDoesNotRun() {
        serve(1, 1);
        hold();
        send(2, "one");

        send(3, "two");

        assertThat(caller.answers).containsExactly("FAILURE 3");
        gate.release();
        awaitAnswers(3);
        assertThat(begun).containsExactly("hold", "one");
    }

    @Test
    void aCallIsAnsweredWhenItsMethodHasEnded() {
        serve(1, 8);

        hold();

        assertThat(caller.answers).isEmpty();
        gate.release();
        awaitAnswers(1);
        assertThat(caller.answers).containsExactly("REPLY 1");
    }

    @Test
    void callsOfASerialObjectRunOneAtATime() {
        serve(2, 8);
        sendSerial(1, "hold");
        awaitBegun("hold");

        sendSerial(2, "one");
        send(3, "two"); // the other worker comes to it after what is ready before it
        awaitAnswers(1);

        assertThat(begun).containsExactly("hold", "two");
        gate.release();
        awaitAnswers(3);
        assertThat(begun).containsExactly("hold", "two", "one");
    }

    @Test
    void callsOfAGroupRunInTheOrderInWhichTheyCame() {
        serve(2, 8);
        for (int i = 0; i < METHODS.size(); i++) {
            Lane lane = new Lane(7, Lane.Kind.GROUP, i == 0);
            send(i + 1, METHODS.get(i), Duration.ofHours(1), RequestOptions.NONE.in(lane));
        }

        gate.release();
        awaitAnswers(METHODS.size());

        assertThat(begun).isEqualTo(METHODS);
    }

    @Test
    void aCallThatRunsWhenItIsCancelledIsAnsweredOnceWhenItHasEnded() {
        serve(1, 8);
        hold();

        server.onCancel(link, 0, 1);

        assertThat(caller.answers).isEmpty();
        gate.release();
        awaitAnswers(1);
        assertThat(caller.answers).containsExactly("REPLY 1");
    }

    @Test
    void aCallThatRunsWhenItsCallerIsGoneIsNotInterruptedAndOneThatWaitsIsNotExecuted() {
        serve(1, 8);
        request(1, REST, Duration.ofHours(1), RequestOptions.NONE);
        awaitBegun("rest");
        send(2, "one");

        server.onCallerGone(link, 0, 2);
        server.onCallerGone(link, 0, 1);

        assertThat(caller.answers).containsExactly("FAILURE 2");
        gate.release();
        awaitAnswers(2);
        assertThat(caller.answers).containsExactly("FAILURE 2", "REPLY 1");
        assertThat(begun).containsExactly("rest", "rested");
    }

    @Test
    void aCallThatRunsWhenItsConnectionEndsIsNotInterrupted() {
        serve(1, 8);
        request(1, REST, Duration.ofHours(1), RequestOptions.NONE);
        awaitBegun("rest");

        server.onClosed(link);

        gate.release();
        awaitBegun("rested");
        assertThat(begun).containsExactly("rest", "rested");
    }
}
