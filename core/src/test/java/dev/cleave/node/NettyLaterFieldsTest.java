package dev.cleave.node;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;

class NettyLaterFieldsTest extends LaterFieldsContract {

    @Override
    Transport real() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }
}
