package dev.cleave.node;

import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import org.jspecify.annotations.Nullable;

/** All transports of a node in one: beside each port it also listens for connections of its own process. */
final class Carriers implements Transport {

    private final Transport net;
    private final Transport local;

    /**
     * Opens the transports.
     *
     * @param keys the files for encrypted connections, or null
     * @throws dev.cleave.transport.TransportException if they cannot be read
     */
    Carriers(@Nullable KeyFiles keys) {
        net = keys == null ? NettyTransport.create() : NettyTransport.create(NettyOptions.DEFAULT, keys);
        local = LocalTransport.of(net.identity());
    }

    @Override
    public @Nullable String identity() {
        return net.identity();
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        return (isLocal(endpoint) ? local : net).connect(endpoint, handler);
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        if (isLocal(endpoint)) {
            return local.listen(endpoint, acceptor);
        }
        Listener port = net.listen(endpoint, acceptor);
        try {
            return new Both(port, local.listen(port.endpoint().nearby(), acceptor));
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
    }

    @Override
    public void close() {
        local.close();
        net.close();
    }

    private static boolean isLocal(Endpoint endpoint) {
        return endpoint.scheme().equals("local");
    }

    private record Both(Listener port, Listener door) implements Listener {

        @Override
        public Endpoint endpoint() {
            return port.endpoint();
        }

        @Override
        public void close() {
            door.close();
            port.close();
        }
    }
}
