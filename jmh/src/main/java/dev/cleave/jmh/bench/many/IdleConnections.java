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
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Connections of as many nodes, which have said hello and only answer pings. Of one thread, but for their events. */
final class IdleConnections implements AutoCloseable {

    private final SystemTimer timer = SystemTimer.create("idle-timer");
    private final NettyTransport transport = NettyTransport.create();
    private final List<Quiet> connections = new ArrayList<>();

    /** Opens more of them. */
    void open(Endpoint server, int count) {
        for (int i = 0; i < count; i++) {
            Hello hello = Hello.of(
                    "idle-" + connections.size(), ThreadLocalRandom.current().nextLong());
            Quiet handler = new Quiet();
            Connection unused = new Handshake(hello, timer).connect(transport, server, (connection, peer) -> handler);
            connections.add(handler);
        }
    }

    /** How many are open. */
    int size() {
        return (int)
                connections.stream().filter(each -> each.connection != null).count();
    }

    /** Closes all of them; more can be opened afterwards. */
    void closeAll() {
        connections.forEach(Quiet::close);
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
