package dev.cleave.jmh.bench.many;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Connections of as many nodes, which have said hello and only answer pings. Of one thread, but for their events. */
final class IdleConnections implements AutoCloseable {

    private static final int OPENERS = 8;
    private static final long CLOSING_NANOS = 10_000_000;

    private final SystemTimer timer = SystemTimer.create("idle-timer");
    private final NettyTransport transport = NettyTransport.create();
    private final List<Quiet> connections = new ArrayList<>();

    /** Opens more of them, several at a time: each waits for the greeting of the server. */
    void open(Endpoint server, int count) {
        ExecutorService openers = Executors.newFixedThreadPool(OPENERS);
        try {
            int first = connections.size();
            List<Future<Quiet>> opening = IntStream.range(first, first + count)
                    .mapToObj(number -> openers.submit(() -> open(server, "idle-" + number)))
                    .toList();
            for (Future<Quiet> each : opening) {
                connections.add(each.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("connection to " + server + ": " + e.getMessage(), e);
        } finally {
            openers.shutdownNow();
        }
    }

    private Quiet open(Endpoint server, String name) {
        Hello hello = Hello.of(name, ThreadLocalRandom.current().nextLong());
        Quiet handler = new Quiet();
        Connection unused = new Handshake(hello, timer).connect(transport, server, (connection, peer) -> handler);
        return handler;
    }

    /** How many are open. */
    int size() {
        return (int)
                connections.stream().filter(each -> each.connection != null).count();
    }

    /** Closes all of them, and waits for that; more can be opened afterwards. */
    void closeAll() {
        connections.forEach(Quiet::close);
        while (size() > 0) {
            LockSupport.parkNanos(CLOSING_NANOS);
        }
        connections.clear();
    }

    @Override
    public void close() {
        transport.close();
        timer.close();
    }

    private static final class Quiet implements FrameHandler {

        private volatile @Nullable Connection connection; // while it is open

        @Override
        public void onOpen(Connection opened) {
            connection = opened;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.PING) {
                from.write(new Pong(Ping.read(frame).id(), Load.NONE).write(from.allocator()));
                from.flush();
            }
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {
            connection = null;
        }

        private void close() {
            Connection open = connection;
            if (open != null) {
                open.close();
            }
        }
    }
}
