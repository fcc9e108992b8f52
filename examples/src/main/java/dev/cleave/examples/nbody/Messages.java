package dev.cleave.examples.nbody;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages of numbers between processes, over the connections that calls go over too: each is one frame of that transport, and
 * there is nothing of calls above. Closing ends all connections. Thread-safe.
 */
final class Messages implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final SystemTimer timer = SystemTimer.create("messages");
    private final NettyTransport transport = NettyTransport.create();
    private final Handshake handshake;
    private final Listener listener;
    private final Map<Endpoint, Connection> connections = new ConcurrentHashMap<>();
    private final Map<Long, BlockingQueue<double[]>> arrived = new ConcurrentHashMap<>(); // by tag

    private Messages(String name) {
        handshake = new Handshake(Hello.of(name, 0), timer);
        listener = handshake.listen(transport, Endpoint.tcp("localhost", 0), (connection, peer) -> new Receiver());
    }

    /** Opens a door on a port of its own. */
    static Messages open(String name) {
        return new Messages(name);
    }

    /** Where others send to. */
    Endpoint endpoint() {
        return listener.endpoint();
    }

    /** Sends a message, and returns when it has been handed to the system. */
    void send(Endpoint to, long tag, double... numbers) {
        Connection connection = connections.computeIfAbsent(
                to, endpoint -> handshake.connect(transport, endpoint, (made, peer) -> new Receiver()));
        int bytes = numbers.length * Double.BYTES;
        ByteBuf frame = new RequestHead(0, tag, 0, 0).begin(connection.allocator(), bytes);
        frame.nioBuffer(frame.writerIndex(), bytes).asDoubleBuffer().put(numbers);
        frame.writerIndex(frame.writerIndex() + bytes);
        Header.finish(frame);
        connection.write(frame);
        connection.flush();
    }

    /** Waits for the next message with a tag. */
    double[] receive(long tag) throws InterruptedException {
        double[] numbers = queue(tag).poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (numbers == null) {
            throw new IllegalStateException("no message " + tag + " within " + PATIENCE_SECONDS + " s");
        }
        return numbers;
    }

    @Override
    public void close() {
        listener.close();
        connections.values().forEach(Connection::close);
        transport.close();
        timer.close();
    }

    private BlockingQueue<double[]> queue(long tag) {
        return arrived.computeIfAbsent(tag, t -> new LinkedBlockingQueue<>());
    }

    /** Puts what comes where it is waited for. */
    private final class Receiver implements FrameHandler {

        @Override
        public void onOpen(Connection connection) {}

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            RequestHead header = RequestHead.read(frame);
            double[] numbers = new double[frame.readableBytes() / Double.BYTES];
            frame.nioBuffer().asDoubleBuffer().get(numbers);
            queue(header.id()).add(numbers);
        }

        @Override
        public void onClose(Connection connection, @Nullable Throwable cause) {}
    }
}
