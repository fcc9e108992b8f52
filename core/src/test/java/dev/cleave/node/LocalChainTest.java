package dev.cleave.node;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
@Tag("full")
class LocalChainTest extends ChainContract {

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }
}
