package dev.cleave.transport.netty;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportContractTest;
import dev.cleave.transport.netty.NettyOptions.Poller;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;

/** The same promises with datagrams beside the stream, whatever happens to them. */
abstract class UdpTransportContract extends TransportContractTest {

    abstract DatagramFaults faults();

    Poller poller() {
        return Poller.BEST;
    }

    /** Dials every port by datagrams. */
    private record Udp(Transport real) implements Transport {

        @Override
        public Connection connect(Endpoint endpoint, FrameHandler handler) {
            return real.connect(endpoint.by("udp"), handler);
        }

        @Override
        public Listener listen(Endpoint endpoint, Acceptor acceptor) {
            return real.listen(endpoint, acceptor);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @Override
    protected Transport create(ByteBufAllocator allocator) {
        return new Udp(
                NettyTransport.create(new NettyOptions(poller(), 2, Duration.ofSeconds(3), allocator), faults()));
    }

    @Override
    protected Endpoint free() {
        return TcpPorts.free();
    }

    @Override
    protected Endpoint deserted() {
        return TcpPorts.deserted().by("udp");
    }
}
