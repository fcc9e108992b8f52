package dev.cleave.transport.netty;

import org.junit.jupiter.api.Tag;

/** The same promises with datagrams and Java's own selector. */
@Tag("one-jdk")
class NioUdpTransportTest extends UdpTransportContract {

    @Override
    DatagramFaults faults() {
        return DatagramFaults.NONE;
    }

    @Override
    NettyOptions.Poller poller() {
        return NettyOptions.Poller.NIO;
    }
}
