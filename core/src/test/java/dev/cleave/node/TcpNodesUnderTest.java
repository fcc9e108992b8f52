package dev.cleave.node;

import dev.cleave.config.Bindings;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;

/** Nodes over TCP, each with a name and an application file. */
abstract class TcpNodesUnderTest extends NodesUnderTest {

    @Override
    final Transport transport() {
        return NettyTransport.create();
    }

    @Override
    final Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    final Node node(String name, int workers, String file) {
        return node(NodeOptions.DEFAULT
                .withName(name)
                .withCapacity(workers, 1024)
                .withBindings(Bindings.parse(file, "cleave.yaml")));
    }
}
