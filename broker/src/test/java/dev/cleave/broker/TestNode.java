package dev.cleave.broker;

import static org.awaitility.Awaitility.await;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A node that speaks frames: remembers a copy of each that it gets, and does what a test tells it. */
final class TestNode implements FrameHandler, AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String KEY = "echo([B)[B";
    private static final Timer TIMER = SystemTimer.create("test-nodes");

    final List<ByteBuf> frames = new CopyOnWriteArrayList<>();
    final AtomicLong ids = new AtomicLong(1);
    volatile boolean answersPings = true;
    volatile BiConsumer<TestNode, ByteBuf> onRequest = (node, frame) -> {};
    volatile boolean closed;
    private Connection connection;

    private TestNode() {}

    static TestNode connect(Transport transport, Endpoint broker, String name) {
        TestNode node = new TestNode();
        node.connection = new Handshake(Hello.of(name, 1), TIMER).connect(transport, broker, (c, peer) -> node);
        return node;
    }

    /** A server that answers each request with its arguments. */
    TestNode echoing() {
        onRequest = (node, frame) -> {
            RequestHead request = RequestHead.read(frame);
            ByteBuf reply = new Reply(request.peer(), request.id())
                    .begin(node.connection.allocator(), 16)
                    .writeBytes(frame);
            Header.finish(reply);
            node.connection.write(reply);
        };
        return this;
    }

    TestNode register(String service, String replica, long incarnation) {
        return register(service, replica, incarnation, List.of());
    }

    TestNode register(String service, String replica, long incarnation, List<String> endpoints) {
        long id = ids.getAndIncrement();
        send(new RegisterReplica(id, service, replica, incarnation, endpoints, "a.Echo", List.of(KEY), 30_000));
        awaitFrame(f -> Header.kind(f) == FrameKind.REGISTERED && Header.id(f) == id);
        return this;
    }

    /** Announces one method, number 0, of a service. */
    TestNode announce(String service) {
        send(new Methods(0, List.of(new Methods.Method(0, service, KEY))));
        return this;
    }

    void send(Frame frame) {
        connection.write(frame.write(connection.allocator()));
        connection.flush();
    }

    /** Calls method 0; returns the call's id. */
    long call(String text) {
        long id = ids.getAndIncrement();
        call(id, 0, 5_000_000, text);
        return id;
    }

    void call(long id, int method, long micros, String text) {
        writeCall(id, method, micros, text.getBytes(StandardCharsets.UTF_8));
        connection.flush();
    }

    void writeCall(long id, int method, long micros, byte[] arguments) {
        ByteBuf frame = new RequestHead(0, id, method, micros)
                .begin(connection.allocator(), arguments.length)
                .writeBytes(arguments);
        Header.finish(frame);
        connection.write(frame);
    }

    /** What the call ended with: the text of the reply, or code and execution of the failure. */
    String outcome(long id) {
        ByteBuf frame = awaitFrame(
                f -> Header.id(f) == id && (Header.kind(f) == FrameKind.REPLY || Header.kind(f) == FrameKind.FAILURE));
        if (Header.kind(frame) == FrameKind.REPLY) {
            Reply.read(frame);
            return frame.toString(StandardCharsets.UTF_8);
        }
        Failure failure = Failure.read(frame);
        return failure.code() + " " + failure.execution();
    }

    Failure failure(long id) {
        return Failure.read(awaitFrame(f -> Header.kind(f) == FrameKind.FAILURE && Header.id(f) == id));
    }

    /** The frames of a kind so far, to be read. */
    List<ByteBuf> of(FrameKind kind) {
        List<ByteBuf> found = new ArrayList<>();
        for (ByteBuf frame : frames) {
            if (Header.kind(frame) == kind) {
                found.add(frame.duplicate());
            }
        }
        return found;
    }

    <T> T answer(long id, FrameKind kind, Function<ByteBuf, T> reader) {
        return reader.apply(awaitFrame(f -> Header.kind(f) == kind && Header.id(f) == id));
    }

    ByteBuf awaitFrame(Function<ByteBuf, Boolean> which) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(
                        () -> frames.stream().filter(which::apply).findFirst().map(ByteBuf::duplicate),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until the broker has handled what this node has sent so far. */
    void awaitHeard() {
        long id = ids.getAndIncrement();
        send(new Ping(id));
        ByteBuf unused = awaitFrame(f -> Header.kind(f) == FrameKind.PONG && Header.id(f) == id);
    }

    void awaitClosed() {
        await().atMost(PATIENCE).until(() -> closed);
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void onOpen(Connection opened) {
        connection = opened;
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        frames.add(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(frame)));
        if (Header.kind(frame) == FrameKind.REQUEST) {
            onRequest.accept(this, frame);
        } else if (Header.kind(frame) == FrameKind.PING && answersPings) {
            send(new Pong(Ping.read(frame).id(), new Load(1, 2, 3, 4)));
        }
    }

    @Override
    public void onReadComplete(Connection from) {
        from.flush();
    }

    @Override
    public void onClose(Connection from, Throwable cause) {
        closed = true;
    }

    @Override
    public void close() {
        connection.close();
    }
}
