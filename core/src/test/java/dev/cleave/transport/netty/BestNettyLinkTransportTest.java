package dev.cleave.transport.netty;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportContractTest;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The same promises over an emulated link, which here delays both ends. */
@Tag("one-jdk")
class BestNettyLinkTransportTest extends TransportContractTest {

    private static final LinkProfile LINK = new LinkProfile(Duration.ofMillis(2), 64 << 20, Duration.ofNanos(50_000));

    private final SystemTimer timer = SystemTimer.precise("link-under-test");

    @AfterEach
    void stopTimer() {
        timer.close();
    }

    @Override
    protected Transport create(ByteBufAllocator allocator) {
        return new LinkTransport(
                NettyTransport.create(new NettyOptions(NettyOptions.Poller.BEST, 2, Duration.ofSeconds(3), allocator)),
                LINK,
                timer);
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
