package dev.cleave.transport.netty;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportContractTest;
import dev.cleave.transport.netty.NettyOptions.Poller;
import dev.cleave.transport.netty.NettyOptions.SameHostBy;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The same promises by unix domain sockets. */
@Tag("one-jdk")
class UnixNettyTransportTest extends TransportContractTest {

    @Override
    protected Transport create(ByteBufAllocator allocator) {
        return NettyTransport.create(
                new NettyOptions(Poller.BEST, 2, Duration.ofSeconds(3), allocator, SameHostBy.UNIX_SOCKET));
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
