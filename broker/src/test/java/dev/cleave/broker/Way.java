package dev.cleave.broker;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The transports that a broker is tested over. */
enum Way {
    LOCAL,
    TCP;

    private static final AtomicInteger DOORS = new AtomicInteger();

    Transport open(ByteBufAllocator allocator) {
        return this == LOCAL
                ? LocalTransport.create(allocator)
                : NettyTransport.create(
                        new NettyOptions(NettyOptions.Poller.BEST, 2, Duration.ofSeconds(3), allocator));
    }

    Endpoint endpoint() {
        return this == LOCAL ? Endpoint.local("broker-" + DOORS.incrementAndGet()) : Endpoint.tcp("localhost", 0);
    }
}
