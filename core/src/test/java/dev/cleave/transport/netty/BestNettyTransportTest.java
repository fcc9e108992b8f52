package dev.cleave.transport.netty;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportContractTest;
import dev.cleave.transport.netty.NettyOptions.Poller;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
class BestNettyTransportTest extends TransportContractTest {

    @Override
    protected Transport create(ByteBufAllocator allocator) {
        return NettyTransport.create(new NettyOptions(Poller.BEST, 2, Duration.ofSeconds(3), allocator));
    }

    @Override
    protected Endpoint free() {
        return TcpPorts.free();
    }

    @Override
    protected Endpoint deserted() {
        return TcpPorts.deserted();
    }
}
