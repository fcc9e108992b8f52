package dev.cleave.node;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
class NettyBlocksTest extends BlocksContract {

    @Override
    Transport transport() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }
}
