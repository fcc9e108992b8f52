package dev.cleave.transport.netty;

import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportContractTest;
import dev.cleave.transport.netty.NettyOptions.Poller;
import io.netty.buffer.ByteBufAllocator;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class TlsTransportTest extends TransportContractTest {

    @TempDir
    static Path directory;

    private static TestKeys keys;

    @BeforeAll
    static void certify() {
        keys = new TestKeys(directory);
    }

    @Override
    protected Transport create(ByteBufAllocator allocator) {
        return NettyTransport.create(
                new NettyOptions(Poller.BEST, 2, Duration.ofSeconds(3), allocator), keys.of("peer"));
    }

    @Override
    protected Endpoint free() {
        return TcpPorts.free();
    }

    @Override
    protected Endpoint deserted() {
        return TcpPorts.deserted().of("peer");
    }
}
