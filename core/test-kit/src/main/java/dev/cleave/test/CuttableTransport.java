package dev.cleave.test;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hands out connections of another transport, which can be closed all at once. Its user closes the other one. */
final class CuttableTransport implements Transport {

    private final Transport real;
    private final Set<Connection> accepted = ConcurrentHashMap.newKeySet();

    CuttableTransport(Transport real) {
        this.real = real;
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        return real.connect(endpoint, handler);
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, connection -> {
            accepted.removeIf(Connection::isClosed);
            accepted.add(connection);
            return acceptor.accept(connection);
        });
    }

    /** Closes the connections that were accepted. */
    void cut() {
        accepted.forEach(Connection::close);
    }

    @Override
    public void close() {
        cut();
    }
}
