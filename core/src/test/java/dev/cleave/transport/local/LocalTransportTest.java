package dev.cleave.transport.local;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportContractTest;
import io.netty.buffer.ByteBufAllocator;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
class LocalTransportTest extends TransportContractTest {

    @Override
    protected Transport create(ByteBufAllocator allocator) {
        return LocalTransport.create(allocator);
    }

    @Override
    protected Endpoint free() {
        return Endpoint.local("door-" + UUID.randomUUID());
    }

    @Override
    protected Endpoint deserted() {
        return Endpoint.local("nobody-" + UUID.randomUUID());
    }
}
