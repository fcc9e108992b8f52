package dev.cleave.node;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
class NettyLaterTest extends LaterContract {

    @Override
    Transport real() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }
}
